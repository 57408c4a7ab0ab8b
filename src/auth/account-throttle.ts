import type { Bucket, BucketStore, Policy, Verdict } from '../limiter/bucket/bucket.js'
import { ignoreOutage, takeInTurn } from '../limiter/bucket/bucket.js'
import { bucketOf } from '../limiter/bucket/key.js'
import type { ReplicaStore } from '../limiter/store.js'

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
   * Resets the failed logins of an account, and those of the account from one address. While Redis is unavailable, this
   * process forgets its local ones: the owner gets in from that address.
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
  buckets: Pick<BucketStore, 'take' | 'peek' | 'giveBack' | 'reset'> & Pick<ReplicaStore, 'forget'>,
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
      const own = ofAddress(account, client)
      if (known) return answer(await buckets.take(own), own, 'account-address')
      const shared = ofAccount(account)
      const [decided, verdict] = await takeInTurn(buckets, own, shared)
      if (decided === shared) return answer(verdict, shared, 'account')
      if (verdict.allowed) return answer(verdict, own, 'account-address')
      // After the wait in the answer, both buckets have a token.
      const { remaining, nextMs } = await buckets.peek(shared)
      const waitMs = Math.max(verdict.waitMs, remaining > 0 ? 0 : nextMs)
      return answer({ ...verdict, waitMs }, own, 'account-address')
    },

    async giveBack ({ account, client, known }) {
      await Promise.all([giveBack(ofAddress(account, client)), known || giveBack(ofAccount(account))])
    },

    async reset (account, client) {
      for (const bucket of [ofAccount(account), ofAddress(account, client)]) {
        await buckets.reset(bucket).catch((error) => {
          ignoreOutage(error)
          buckets.forget(bucket)
        })
      }
    },

    forget (account, clients) {
      buckets.forget(ofAccount(account))
      for (const client of clients) buckets.forget(ofAddress(account, client))
    }
  }
}
