import { StoreUnavailable, type Bucket, type BucketStore, type Policy, type Verdict } from '../limiter/bucket.js'
import { bucketOf } from '../limiter/key.js'

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
  /** Which policy refused. It is for the log, not for the client. */
  policy: 'account' | 'account-address'
  /** The key of the bucket that decided. */
  key: string
}

export interface AccountThrottle {
  /**
   * Takes what one failed login costs, or nothing at all. A refusal states the capacity of the account's bucket,
   * whichever bucket refused: it does not tell whether the address is known.
   *
   * @throws {StoreUnavailable} the store could not decide
   */
  take: (attempt: Attempt) => Promise<AccountVerdict>
  /**
   * Gives it back: the login succeeded, or nobody learned whether its password is right. Lost while the store fails
   * closed.
   */
  giveBack: (attempt: Attempt) => Promise<void>
  /**
   * Forgets the failures of an account from all addresses together, and those from one address: while Redis is down,
   * after its recovery.
   */
  reset: (account: string, client: string) => Promise<void>
  /** Forgets what this process alone remembers of such failures. Other replicas and Redis are not asked. */
  forget: (account: string, clients: string[]) => void
}

/** The owner of the bucket of one account and one address. */
export const accountAddress = (account: string, client: string): string => `${account}@${client}`

/**
 * Limits the failed logins of one account without locking its owner out. docs/account-throttle.md has the arithmetic.
 *
 * Each address has a bucket of its own for each account, of policy `account-address`. A known address takes from that
 * bucket alone. Any other address takes from it first and then from the bucket that all of them share, of policy
 * `account`. So one address can use a part of the shared bucket, many addresses can empty it, and none of them reaches
 * the bucket of a known address.
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
        // Whoever waits as long as the answer says finds a token in both.
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

/** Tokens that are given back while the store fails closed are lost. A refill replaces them before long. */
function ignoreOutage (error: unknown): void {
  if (!(error instanceof StoreUnavailable)) throw error
}
