import { HashQueueFull } from '../auth/passwords.js'
import { serviceUnavailable } from '../errors.js'

/** The result of a query; a database that does not answer is a 503 for the client, and its cause is for the log. */
export async function found<T> (query: Promise<T>): Promise<T> {
  try {
    return await query
  } catch (cause) {
    throw serviceUnavailable(2, cause)
  }
}

/** The result of a hash or a comparison; when too many wait for theirs, a 503. */
export async function hashed<T> (work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw error instanceof HashQueueFull ? serviceUnavailable(2, error) : error
  }
}
