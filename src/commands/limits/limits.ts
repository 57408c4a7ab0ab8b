import { buildCommand, buildRouteMap } from '@stricli/core'
import type { Mode, Numbers } from '../../limiter/limits/row-schema.js'
import {
  positionals, argument, choiceFlag, commonFlags, flag, policyArgument, textFlag, valueFlag, wholeNumber
} from '../options.js'

const numbers = {
  capacity: valueFlag('N', 'how many tokens a full bucket has', wholeNumber()),
  refill: valueFlag('N', 'how many tokens come each period', wholeNumber()),
  period: textFlag('TIME', 'such as 90s, 5m or 1h')
}
const reason = {
  why: textFlag('TEXT', 'for the history'),
  author: textFlag('NAME', 'who changes it, instead of the user and host that run this')
}
const network = textFlag('CIDR', 'for the clients of one network')
const onePolicy = positionals(policyArgument)

/** Such as 30000,6000,1m. */
function sharedOf (text: string): Numbers {
  const [capacity = '', refill = '', period = '', ...rest] = text.split(',')
  if (period === '' || rest.length > 0) throw new Error('must be like 30000,6000,1m')
  return { capacity: wholeNumber()(capacity), refill: wholeNumber()(refill), period }
}

export const limits = buildRouteMap({
  docs: {
    brief: 'the limits that are in force, and their changes',
    fullDescription: 'Shows the limits of all replicas, and changes them. Numbers that are not named stay.'
  },
  routes: {
    check: buildCommand({
      docs: { brief: 'validates a limits file and prints what it sets' },
      parameters: { flags: commonFlags, positional: positionals(argument('FILE', 'as LIMITS_FILE names one')) },
      loader: async () => (await import('./check.js')).check
    }),
    show: buildCommand({
      docs: { brief: 'the limits that are in force, and where they come from' },
      parameters: { flags: commonFlags },
      loader: async () => (await import('./show.js')).show
    }),
    set: buildCommand({
      docs: { brief: 'changes a limit on every replica, within a second' },
      parameters: {
        flags: {
          ...numbers,
          mode: choiceFlag<Mode>(['enforce', 'off'], 'whether the policy refuses'),
          by: choiceFlag(['user', 'address'], 'whose buckets they are'),
          address: valueFlag('N,N,TIME', 'with --by user: what all users of one address share', sharedOf),
          network,
          exempt: flag('without a limit there'),
          block: flag('refuses everything from there'),
          people: valueFlag('N', 'sizes login, sign-in or general for so many behind --network', wholeNumber(1)),
          within: textFlag('TIME', 'with --people: in which they all log in'),
          requests: valueFlag('N', 'with --people: what one of them asks a minute; 30 by default', wholeNumber(1)),
          ...reason,
          ...commonFlags
        },
        positional: onePolicy
      },
      loader: async () => (await import('./change.js')).set
    }),
    unset: buildCommand({
      docs: { brief: 'takes it back for everyone, or for that network' },
      parameters: { flags: { ...reason, network, ...commonFlags }, positional: onePolicy },
      loader: async () => (await import('./change.js')).unset
    }),
    try: buildCommand({
      docs: { brief: 'counts what other numbers would refuse, or its own if it is off; refuses nothing' },
      parameters: { flags: { ...numbers, ...reason, ...commonFlags }, positional: onePolicy },
      loader: async () => (await import('./change.js')).tryOut
    }),
    promote: buildCommand({
      docs: { brief: 'enforces the numbers that were tried' },
      parameters: { flags: { ...reason, ...commonFlags }, positional: onePolicy },
      loader: async () => (await import('./change.js')).promote
    }),
    history: buildCommand({
      docs: { brief: 'who changed what, when and why' },
      parameters: { flags: commonFlags },
      loader: async () => (await import('./history.js')).history
    }),
    rollback: buildCommand({
      docs: { brief: 'sets the limits before the last change, or of a version' },
      parameters: {
        flags: { ...reason, ...commonFlags },
        positional: positionals(
          { parse: wholeNumber(), placeholder: 'VERSION', brief: 'of the history', optional: true }
        )
      },
      loader: async () => (await import('./change.js')).rollback
    })
  }
})
