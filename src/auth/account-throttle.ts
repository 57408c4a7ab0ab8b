import { ignoreOutage, type Bucket, type Policy, type Verdict } from '../limiter/bucket/bucket.js'
import { takeInTurn } from '../limiter/bucket/in-turn.js'
import { bucketOf } from '../limiter/bucket/key.js'
import type { ReplicaStore } from '../limiter/store.js'

/** One login, before its password is compared. */
export interface Attempt {
  /** The owner of the account's bucket: see `accountKey`. */
  accountKey: string
  /** The address that the login comes from, as in the keys of buckets. */
  client: string
  /** Whether the account's user has logged in from this address before: see login-records.ts. */
  known: boolean
}

interface AccountVerdict extends Verdict {
  /** Which policy refused. This is for the log and not for the client. */
  policy: 'account' | 'account-address'
  /** The key of the bucket that decided. */
  key: string
}

/** The owner of the bucket of one account and one address. */
export const accountAddress = (accountKey: string, client: string): string => `${accountKey}@${client}`

/**
 * Limits the failed logins of one account without locking its owner out. docs/account-throttle.md has the arithmetic.
 *
 * Each address has a bucket of its own for each account, of policy `account-address`. A known address takes only from
 * that bucket. Any other address takes from it first, and then from the shared bucket of policy `account`. So one
 * address can use up a part of the shared bucket, and many addresses can empty it. None of them can affect the bucket
 * of a known address.
 */
export class AccountThrottle {
  /** @param limits read at each use, because they may change */
  constructor (
    private readonly buckets: Pick<ReplicaStore, 'take' | 'peek' | 'giveBack' | 'reset' | 'forget'>,
    private readonly limits: { readonly policies: Record<AccountVerdict['policy'], Policy> }
  ) {}

  /**
   * Takes the tokens of one failed login, or none. A refusal always states the capacity of the account's bucket, so
   * that the client cannot find out whether its address is known.
   *
   * @throws {StoreUnavailable} the store could not decide
   */
  async take ({ accountKey, client, known }: Attempt): Promise<AccountVerdict> {
    const own = this.#ofAddress(accountKey, client)
    if (known) return this.#answer(await this.buckets.take(own), own, 'account-address')
    const shared = this.#ofAccount(accountKey)
    const [decided, verdict] = await takeInTurn(this.buckets, own, shared)
    if (decided === shared) return this.#answer(verdict, shared, 'account')
    if (verdict.allowed) return this.#answer(verdict, own, 'account-address')
    // After the wait in the answer, both buckets have a token.
    const { remaining, nextMs } = await this.buckets.peek(shared)
    const waitMs = Math.max(verdict.waitMs, remaining > 0 ? 0 : nextMs)
    return this.#answer({ ...verdict, waitMs }, own, 'account-address')
  }

  /**
   * Returns the tokens, because the login succeeded, or because it was not decided whether the password is right. While
   * the store fails closed, returned tokens are lost.
   */
  async giveBack ({ accountKey, client, known }: Attempt): Promise<void> {
    const taken = [this.#ofAddress(accountKey, client), ...known ? [] : [this.#ofAccount(accountKey)]]
    await Promise.all(taken.map(bucket => this.buckets.giveBack(bucket).catch(ignoreOutage)))
  }

  /**
   * Resets the failed logins of an account, and those of the account from one address. While Redis is unavailable, this
   * process forgets its local ones: the owner gets in from that address.
   */
  async reset (accountKey: string, client: string): Promise<void> {
    for (const bucket of [this.#ofAccount(accountKey), this.#ofAddress(accountKey, client)]) {
      await this.buckets.reset(bucket).catch((error) => {
        ignoreOutage(error)
        this.buckets.forget(bucket)
      })
    }
  }

  /** Drops what this process remembers about failed logins of an account. Other replicas and Redis are not involved. */
  forget (accountKey: string, clients: string[]): void {
    this.buckets.forget(this.#ofAccount(accountKey))
    for (const client of clients) this.buckets.forget(this.#ofAddress(accountKey, client))
  }

  #ofAccount (accountKey: string): Bucket {
    return bucketOf(this.limits.policies.account, accountKey)
  }

  #ofAddress (accountKey: string, client: string): Bucket {
    return bucketOf(this.limits.policies['account-address'], accountAddress(accountKey, client))
  }

  #answer (verdict: Verdict, { key }: Bucket, policy: AccountVerdict['policy']): AccountVerdict {
    return { ...verdict, capacity: this.limits.policies.account.capacity, policy, key }
  }
}
