import { SentinelConnector, type RedisOptions } from 'ioredis'
import { checkedMaster, checkedSentinels } from './replies.js'

/** A sentinel may name others, which are then asked, too. No more than this many are remembered. */
const MAX_SENTINELS = 100

interface Sentinel {
  sentinel: (subcommand: string, name: string) => Promise<unknown>
}

/** What the typings of ioredis keep private. */
interface Connector {
  sentinelIterator: { sentinels: unknown[] }
  connectToSentinel (endpoint: object, options?: object): Sentinel
}

const IoredisConnector = SentinelConnector as unknown as new (options: object) => Connector

/**
 * Asks the sentinels for the master. ioredis would believe any answer, and would never ask again after an impossible
 * port. Here an impossible answer counts as no answer, and the next sentinel is asked.
 */
class CheckingConnector extends IoredisConnector {
  override connectToSentinel (endpoint: object, options?: object): Sentinel {
    const client = super.connectToSentinel(endpoint, options)
    const ask = client.sentinel.bind(client)
    client.sentinel = async (subcommand, name) => {
      const reply = await ask(subcommand, name)
      if (subcommand === 'get-master-addr-by-name') return checkedMaster(reply)
      return checkedSentinels(reply).slice(0, Math.max(0, MAX_SENTINELS - this.sentinelIterator.sentinels.length))
    }
    return client
  }
}

/** For the option `Connector` of ioredis. */
export const CheckedSentinels = CheckingConnector as unknown as NonNullable<RedisOptions['Connector']>
