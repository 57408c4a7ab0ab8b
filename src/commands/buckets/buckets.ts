import { buildCommand, buildRouteMap } from '@stricli/core'
import {
  argument, choiceFlag, commonFlags, flag, policyArgument, policyFlag, positionals, textFlag, valueFlag, wholeNumber,
  yesFlag
} from '../options.js'

const filter = {
  policy: policyFlag,
  client: textFlag('ADDRESS|CIDR', 'of a client, or of all clients of a network'),
  limited: flag('without a token now')
}
const limit = valueFlag('N', 'how many it shows: 1000, or with --json all, in no order', wholeNumber(1, 100_000))
const outcome = choiceFlag(
  ['refused', 'blocked', 'throttled'], 'by a limit, the block of a network, or for the account'
)
const follow = textFlag('ADDRESS|USER', 'each take of this client instead, as it happens')
const owner = argument('ADDRESS|USER', 'an IPv6 address stands for its client; account-address has USER@ADDRESS')

export const buckets = buildRouteMap({
  docs: {
    brief: 'the buckets of clients and users',
    fullDescription: `Looks into the buckets in Redis (REDIS_URL), and fills them.

An account bucket is named by its user, an account-address bucket by USER@ADDRESS. What reads as an address is one, also
if a user is called so: user:NAME and address:ADDRESS say which is meant. A reset of an account bucket also resets its
account-address buckets. What a replica decides while Redis is away cannot be seen. If buckets change meanwhile, some
may be missing in a list, or be there twice.`
  },
  routes: {
    list: buildCommand({
      docs: { brief: 'the buckets that are not full, the emptiest first' },
      parameters: { flags: { ...filter, limit, ...commonFlags } },
      loader: async () => (await import('./list.js')).list
    }),
    peek: buildCommand({
      docs: { brief: 'one bucket; takes nothing' },
      parameters: { flags: commonFlags, positional: positionals(policyArgument, owner) },
      loader: async () => (await import('./peek.js')).peek
    }),
    reset: buildCommand({
      docs: {
        brief: 'fills one bucket, or all that a filter finds, on every replica at once',
        customUsage: ['POLICY ADDRESS|USER', '[--policy POLICY] [--client ADDRESS|CIDR] [--limited] [--yes]']
      },
      parameters: {
        flags: { ...filter, yes: yesFlag, ...commonFlags },
        positional: positionals({ ...policyArgument, optional: true }, { ...owner, optional: true })
      },
      loader: async () => (await import('./reset.js')).reset
    }),
    top: buildCommand({
      docs: { brief: 'the most refused clients every second, or each take of one, until Ctrl-C' },
      parameters: { flags: { follow, policy: policyFlag, outcome, ...commonFlags } },
      loader: async () => (await import('./top.js')).top
    })
  }
})
