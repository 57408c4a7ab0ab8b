import { createConnection } from 'node:net'
import pg from 'pg'
import { asOutage } from './outage.js'

/**
 * What the text of a value means. The adapter takes every time for UTC and reads no other form of dates. The server,
 * the database or the role may say otherwise, and a session says it last.
 */
const meaning = { TimeZone: 'UTC', DateStyle: 'ISO, MDY' }

/** The code of this request in PostgreSQL's protocol. */
const CANCEL_REQUEST = 80_877_102
const CANCEL_MS = 5000

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
    if (!callback) return super.connect().catch((error) => { throw asOutage(error) })
    super.connect((error: Error | null) => callback((error && asOutage(error)) as never, this))
  }

  /**
   * Ends a connection whose last query may still run. PostgreSQL notices the end only after the query. So it is asked
   * to cancel that, as libpq does it: over another connection, without a login and without TLS. Nothing else ends a
   * commit that waits for a synchronous standby, because statement_timeout has ended when a commit begins. It is kept.
   */
  abandon (): void {
    const { host, port, processID, secretKey } = this as this & Record<'processID' | 'secretKey', number | null>
    this.end().catch(() => {})
    if (processID === null || secretKey === null) return
    const request = Buffer.alloc(16)
    for (const [i, value] of [request.length, CANCEL_REQUEST, processID, secretKey].entries()) {
      request.writeInt32BE(value, 4 * i)
    }
    const asking = host.startsWith('/') ? createConnection(`${host}/.s.PGSQL.${port}`) : createConnection(port, host)
    asking.on('error', () => {}).setTimeout(CANCEL_MS, () => asking.destroy()).end(request)
  }
}
