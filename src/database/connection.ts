import pg from 'pg'
import { refusal } from './outage.js'

/**
 * What the text of a value means. The adapter takes every time for UTC and reads no other form of dates. The server,
 * the database or the role may say otherwise, and a session says it last.
 */
const meaning = { TimeZone: 'UTC', DateStyle: 'ISO, MDY' }

/**
 * A connection that says `meaning` when it begins. It does not use `options` for that, because poolers refuse it. They
 * know these two, which libpq and the JDBC driver also send.
 */
export class Connection extends pg.Client {
  /** What `pg` sends first. Its types do not have this method. */
  getStartupConf (): Record<string, string> {
    const { getStartupConf } = pg.Client.prototype as unknown as Pick<Connection, 'getStartupConf'>
    return { ...getStartupConf.call(this), ...meaning }
  }

  override connect (): Promise<pg.Client>
  override connect (callback: ((error: Error) => void) | ((error: null, client: pg.Client) => void)): void
  override connect (callback?: (error: never, client: pg.Client) => void): Promise<pg.Client> | void {
    if (!callback) return super.connect().catch((error) => { throw refusal(error) })
    super.connect((error: Error | null) => callback((error && refusal(error)) as never, this))
  }
}
