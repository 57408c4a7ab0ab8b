import { hostname, userInfo } from 'node:os'

/** Who runs the command, for records of what was done. */
export function currentOperator (): string {
  try {
    return `${userInfo().username}@${hostname()}`
  } catch {
    // In a container the user id may have no name.
    return `${process.getuid?.() ?? 'unknown'}@${hostname()}`
  }
}
