/**
 * `ok`: nothing to do. `note`: worth knowing, or it could not be found out. `action`: an operator has to do something.
 */
type Status = 'ok' | 'note' | 'action'

/** A finding for an operator. */
export interface Finding {
  status: Status
  /** What was found, and why it matters. It never holds a secret. */
  found: string
  /** What to do, with the command if there is one. */
  remedy?: string
}

export const ok = (found: string): Finding => ({ status: 'ok', found })
export const note = (found: string, remedy?: string): Finding => ({ status: 'note', found, ...remedy && { remedy } })
export const action = (found: string, remedy: string): Finding => ({ status: 'action', found, remedy })
