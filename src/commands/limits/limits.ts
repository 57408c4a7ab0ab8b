import { buildCommand, buildRouteMap } from '@stricli/core'
import type { Numbers } from '../../limiter/limits/row-schema.js'
import { args, argument, choice, common, flag, policyArgument, text, value, whole } from '../options.js'

const numbers = {
  capacity: value('N', 'how many tokens a full bucket has', whole()),
  refill: value('N', 'how many tokens come each period', whole()),
  period: text('TIME', 'such as 90s, 5m or 1h')
}
const reason = {
  why: text('TEXT', 'for the history'),
  by: text('NAME', 'who changes it, instead of the user and host that run this')
}
const network = text('CIDR', 'for the clients of one network')
const onePolicy = args(policyArgument)

/** Such as 30000,6000,1m. */
function sharedOf (text: string): Numbers {
  const [capacity = '', refill = '', period = '', ...rest] = text.split(',')
  if (period === '' || rest.length > 0) throw new Error('must be like 30000,6000,1m')
  return { capacity: whole()(capacity), refill: whole()(refill), period }
}

export const limits = buildRouteMap({
  docs: {
    brief: 'the limits that are in force, and their changes',
    fullDescription: 'Shows the limits of all replicas, and changes them. Numbers that are not named stay.'
  },
  routes: {
    check: buildCommand({
      docs: { brief: 'validates a limits file and prints what it sets' },
      parameters: { flags: common, positional: args(argument('FILE', 'as LIMITS_FILE names one')) },
      loader: async () => (await import('./check.js')).check
    }),
    show: buildCommand({
      docs: { brief: 'the limits that are in force, and where they come from' },
      parameters: { flags: common },
      loader: async () => (await import('./show.js')).show
    }),
    diff: buildCommand({
      docs: { brief: 'what differs from LIMITS_FILE and the defaults' },
      parameters: { flags: common },
      loader: async () => (await import('./show.js')).diff
    }),
    set: buildCommand({
      docs: { brief: 'changes a limit on every replica, within a second' },
      parameters: {
        flags: {
          ...numbers,
          mode: choice(['enforce', 'shadow', 'off'], 'whether the policy refuses, only counts, or rests'),
          why: reason.why,
          by: text('user|address|NAME', 'whose buckets they are; or who changes it, instead of who runs this'),
          address: value('N,N,TIME', 'with --by user: what all users of one address share', sharedOf),
          network,
          exempt: flag('without a limit there'),
          block: flag('refuses everything from there'),
          ...common
        },
        positional: onePolicy
      },
      loader: async () => (await import('./change.js')).set
    }),
    size: buildCommand({
      docs: { brief: 'the commands for a school behind one address, and their arithmetic' },
      parameters: {
        flags: {
          network: { ...network, optional: false },
          people: { ...value('N', 'how many people are behind the network', whole(1)), optional: false },
          within: { ...text('TIME', 'in which they all log in'), optional: false },
          requests: value('N', 'how many requests one of them makes a minute; 30 by default', whole(1)),
          ...common
        }
      },
      loader: async () => (await import('./size.js')).size
    }),
    unset: buildCommand({
      docs: { brief: 'takes it back for everyone, or for that network' },
      parameters: { flags: { ...reason, network, ...common }, positional: onePolicy },
      loader: async () => (await import('./change.js')).unset
    }),
    try: buildCommand({
      docs: { brief: 'counts what other limits would refuse; refuses nothing' },
      parameters: { flags: { ...numbers, ...reason, ...common }, positional: onePolicy },
      loader: async () => (await import('./change.js')).tryOut
    }),
    promote: buildCommand({
      docs: { brief: 'makes the limits that were tried live' },
      parameters: { flags: { ...reason, ...common }, positional: onePolicy },
      loader: async () => (await import('./change.js')).promote
    }),
    history: buildCommand({
      docs: { brief: 'who changed what, when and why' },
      parameters: { flags: common },
      loader: async () => (await import('./history.js')).history
    }),
    rollback: buildCommand({
      docs: { brief: 'sets the limits before the last change, or of a version' },
      parameters: {
        flags: { ...reason, ...common },
        positional: args({ parse: whole(), placeholder: 'VERSION', brief: 'of the history', optional: true })
      },
      loader: async () => (await import('./change.js')).rollback
    })
  }
})
