import { StoreUnavailable, type Bucket, type BucketStore, type Policy, type Verdict } from '../limiter/bucket/bucket.js'
import { bucketOf } from '../limiter/bucket/key.js'

/** One login, before its password is compared. */
export interface Attempt {
  /** The owner of the account's bucket: see `accountKey`. */
  account: string
  /** The address that the login comes from, as in the keys of buckets. */
  client: string
  /** Whether the account's user has logged in from this address before: see known-addresses.ts. */
  known: boolean
}

export interface AccountVerdict extends Verdict {
  /** Which policy refused. This is for the log and not for the client. */
  policy: 'account' | 'account-address'
  /** The key of the bucket that decided. */
  key: string
}

export interface AccountThrottle {
  /**
   * Takes the tokens of one failed login, or none. A refusal always states the capacity of the account's bucket, so
   * that the client cannot find out whether its address is known.
   *
   * @throws {StoreUnavailable} the store could not decide
   */
  take: (attempt: Attempt) => Promise<AccountVerdict>
  /**
   * Returns the tokens, because the login succeeded, or because it was not decided whether the password is right. While
   * the store fails closed, returned tokens are lost.
   */
  giveBack: (attempt: Attempt) => Promise<void>
  /**
   * Resets the failed logins of an account, and those of the account from one address. While Redis is unavailable, it
   * is done after the recovery.
   */
  reset: (account: string, client: string) => Promise<void>
  /** Drops what this process remembers about failed logins of an account. Other replicas and Redis are not involved. */
  forget: (account: string, clients: string[]) => void
}

/** The owner of the bucket of one account and one address. */
export const accountAddress = (account: string, client: string): string => `${account}@${client}`

/**
 * Limits the failed logins of one account without locking its owner out. docs/account-throttle.md has the arithmetic.
 *
 * Each address has a bucket of its own for each account, of policy `account-address`. A known address takes only from
 * that bucket. Any other address takes from it first, and then from the shared bucket of policy `account`. So one
 * address can use up a part of the shared bucket, and many addresses can empty it. None of them can affect the bucket
 * of a known address.
 *
 * @param limits read at each use, because they may change
 */
export function createAccountThrottle (
  buckets: Pick<BucketStore, 'take' | 'peek' | 'giveBack' | 'reset' | 'forget'>,
  limits: { readonly policies: Record<AccountVerdict['policy'], Policy> }
): AccountThrottle {
  const answer = (verdict: Verdict, { key }: Bucket, policy: AccountVerdict['policy']): AccountVerdict =>
    ({ ...verdict, capacity: limits.policies.account.capacity, policy, key })

  const ofAccount = (account: string): Bucket => bucketOf(limits.policies.account, account)
  const ofAddress = (account: string, client: string): Bucket =>
    bucketOf(limits.policies['account-address'], accountAddress(account, client))

  const giveBack = async (bucket: Bucket): Promise<void> => {
    await buckets.giveBack(bucket).catch(ignoreOutage)
  }

  return {
    async take ({ account, client, known }) {
      const bucket = ofAddress(account, client)
      const first = await buckets.take(bucket)
      if (known) return answer(first, bucket, 'account-address')
      if (!first.allowed) {
        // After the wait in the answer, both buckets have a token.
        const { remaining, nextMs } = await buckets.peek(ofAccount(account))
        const waitMs = Math.max(first.waitMs, remaining > 0 ? 0 : nextMs)
        return answer({ ...first, waitMs }, bucket, 'account-address')
      }
      try {
        const second = await buckets.take(ofAccount(account))
        if (!second.allowed) await giveBack(bucket)
        return answer(second, ofAccount(account), 'account')
      } catch (error) {
        await giveBack(bucket)
        throw error
      }
    },

    async giveBack ({ account, client, known }) {
      await Promise.all([giveBack(ofAddress(account, client)), known || giveBack(ofAccount(account))])
    },

    async reset (account, client) {
      try {
        await buckets.reset(ofAccount(account))
        await buckets.reset(ofAddress(account, client))
      } catch (error) {
        ignoreOutage(error)
      }
    },

    forget (account, clients) {
      buckets.forget(ofAccount(account))
      for (const client of clients) buckets.forget(ofAddress(account, client))
    }
  }
}

/** Tokens that are returned while the store fails closed are lost. A refill soon replaces them. */
function ignoreOutage (error: unknown): void {
  if (!(error instanceof StoreUnavailable)) throw error
}
