import * as rules from '../../../auth/rules.js'
import { isSubject } from '../../../sign-in/claims.js'
import { Cells, type ImportContext } from './cells.js'
import { withoutGuard } from './guards.js'
import { emailIn, usernameIn } from './name-cells.js'
import { passwordIn } from './password-cells.js'
import type { Row } from './rows.js'
import type { Stored } from './stored.js'

const MAX_TEXT = 255
/** The sequence of numbers is moved beyond those of a file, which takes seconds for so many. */
const MAX_USER_ID = 10_000_000
/** Who has these in `status` has left, or may not log in for now. */
const ENDED = /^(tobedeleted|inactive|suspended|archived|deleted)$/i

/** The account of a row that has no fault by itself. What is undefined is not said; null is nothing. */
export interface Imported extends Partial<Stored> {
  line: number
  username: string
  password?: string
  /** The username of a row with faults, whatever it is. */
  named?: string
  /** Of a row with too many or too few cells: any of them may be the id or the username. */
  cells?: string[]
  /** Of a roster that says no role of theirs: an account that exists keeps its own. */
  lacksRole?: boolean
  /** Its status is that of someone who has left: no account is made for them. */
  hasLeft?: boolean
  /** Their name, which another row has, too. */
  formerName?: string
}

/** What some fields of a row say. */
type Said = Partial<Imported>

/** @returns the account of a row, without a wrong name or address, and everything that is wrong with it */
export function imported (row: Row, context: ImportContext): { account: Imported, faults: string[] } {
  const { line, fault } = row
  const cells = new Cells(row, context)
  if (fault !== undefined) return { account: { line, username: '', ...whoIn(cells, true) }, faults: [fault] }
  const said = saidIn(cells)
  const secret = passwordIn(cells, said)
  const who = whoIn(cells, cells.faults.length > 0)
  const withName = (fault: string): string =>
    /^(username|email|userId) /.test(fault) || said.username === '' ? fault : `${fault} (${said.username})`
  return { account: Object.assign(said, secret, who), faults: cells.faults.map(withName) }
}

/** The order is that of the faults of a row. */
function saidIn (cells: Cells): Imported {
  const userId = userIdIn(cells)
  const access = accessIn(cells)
  // A roster that says who has left may say nothing else of them.
  const isKnown = access.hasLeft === true && cells.raw('sourcedId') !== '' && cells.context.source !== undefined
  const username = usernameIn(cells, isKnown)
  // Spreads of so many objects double the time that a row takes.
  return Object.assign({ line: cells.row.line, username }, userId, access, emailIn(cells), codesIn(cells),
    textsIn(cells), answersIn(cells), signInIn(cells))
}

function userIdIn (cells: Cells): Said {
  const userId = cells.text('userId')
  if (userId === undefined) return {}
  const isNumber = /^[1-9]\d{0,7}$/.test(userId) && Number(userId) <= MAX_USER_ID
  cells.must(isNumber, 'userId', `must be a number from 1 to ${MAX_USER_ID}; --map COLUMN= ignores a column`)
  return isNumber ? { userId: Number(userId) } : {}
}

/** Files say it in three ways, and one of them is enough to end the access. */
function accessIn (cells: Cells): Said {
  const [disabled, enabled, status] = [cells.answer('disabled'), cells.answer('enabled'), cells.text('status')]
  const hasEnded = status === undefined ? undefined : ENDED.test(status)
  cells.must(status === undefined || hasEnded === true || /^active$/i.test(status), 'status',
    'must be active, inactive or tobedeleted; --value status:FROM=TO translates others')
  const said = [disabled, enabled === undefined ? undefined : !enabled, hasEnded].filter(one => one !== undefined)
  return { ...said.length > 0 && { disabled: said.includes(true) }, ...hasEnded && { hasLeft: true } }
}

function codesIn (cells: Cells): Said {
  const codes: Said = {}
  for (const field of ['role', 'userType'] as const) {
    const code = cells.text(field)?.toUpperCase()
    if (code === undefined) continue
    cells.must(new RegExp(rules.ROLE_OR_TYPE).test(code), field,
      `${rules.ROLE_OR_TYPE_RULE}; --value ${field}:FROM=TO translates others`)
    codes[field] = code
  }
  if (!cells.row.format.needsRole) return codes
  // A translation may be of the role alone.
  return codes.role === undefined ? { ...codes, lacksRole: true } : { userType: codes.role, ...codes }
}

function textsIn (cells: Cells): Said {
  const texts: Said = {}
  for (const field of ['adpStatus', 'book_chapter_approver_designation'] as const) {
    const text = cells.text(field)
    if (text === undefined) continue
    cells.must([...text].length <= MAX_TEXT, field, `must have at most ${MAX_TEXT} characters`)
    cells.must(text.isWellFormed() && !text.includes('\0'), field, 'has characters that are not allowed here')
    texts[field] = text
  }
  return texts
}

function answersIn (cells: Cells): Said {
  const answers: Said = {}
  for (const field of ['selfRegistered', 'passwordTemporary', 'disabledBySource'] as const) {
    const answer = cells.answer(field)
    if (answer !== undefined) answers[field] = answer
  }
  return answers
}

function signInIn (cells: Cells): Said {
  const [issuer, subject] = [cells.text('signInIssuer'), cells.text('signInSubject')]
  if (issuer === undefined && subject === undefined) return {}
  cells.must(issuer !== undefined && URL.canParse(issuer), 'signInIssuer', 'must be the issuer of signInSubject, a URL')
  cells.must(subject !== undefined && isSubject(subject), 'signInSubject', 'must be the claim sub of somebody there')
  return { signInIssuer: issuer ?? null, signInSubject: subject ?? null }
}

/** Also of a row with a fault: whoever it names is not missing. */
function whoIn (cells: Cells, isFaulty: boolean): Said {
  const { row: { values, cells: all }, context: { source } } = cells
  // Another export may put other cells in quotes, which keep spaces.
  const id = withoutGuard(cells.raw('sourcedId')).trim()
  const named = source ?? cells.text('source')
  if (source !== undefined) cells.must(id !== '', 'sourcedId', 'is empty, and with --source each row needs one')
  cells.must(id.length <= MAX_TEXT && !/\p{C}/u.test(id), 'sourcedId',
    `must have at most ${MAX_TEXT} visible characters`)
  return {
    ...id !== '' && named !== undefined && { source: named, sourcedId: id },
    ...isFaulty && { named: values.username ?? '' },
    ...all && { cells: all.map(cell => withoutGuard(cell).trim()) }
  }
}
