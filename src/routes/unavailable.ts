import { HashQueueFull } from '../auth/passwords.js'
import { overloaded, serviceUnavailable } from '../errors.js'
import { StoreUnavailable } from '../limiter/bucket.js'

/** A table or a column is missing: no wait helps, but `gatehouse migrate` does. */
const SCHEMA_FAULTS = ['P2021', 'P2022']

/** The result of a query; a database that does not answer is a 503 for the client, and its cause is for the log. */
export async function found<T> (query: Promise<T>): Promise<T> {
  try {
    return await query
  } catch (cause) {
    if (SCHEMA_FAULTS.includes((cause as { code?: string }).code ?? '') || cause instanceof TypeError) throw cause
    throw serviceUnavailable(2, cause)
  }
}

/** The result of a hash or a comparison; when too many wait for theirs, a 503. */
export async function hashed<T> (work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw error instanceof HashQueueFull ? overloaded(error) : error
  }
}

/** Tokens that go back into a bucket while no store decides are gone, which nobody notices for long. */
export async function ifDecidable (change: Promise<unknown>): Promise<void> {
  try {
    await change
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error
  }
}
