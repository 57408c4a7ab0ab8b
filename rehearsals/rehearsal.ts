import { setTimeout } from 'node:timers/promises'
import { until } from '../test/fixtures/until.js'
import type { Answers } from './clients.js'
import type { Fleet } from './fleet.js'
import { lostOf, type Keepsakes } from './keepsakes.js'
import { AROUND_S, type Recording } from './recording.js'
import { commandOf, entryOf, filled, promiseOf } from './runbook.js'

/**
 * One incident, and the entry of docs/runbook.md that cures it. To add one, write it into the file of its section.
 * `npm run rehearse NAME` plays it, and with `--without-cure` it has to fail to recover.
 */
export interface Rehearsal {
  name: string
  /** The heading of the entry, or a part of the bold text that it begins with. */
  entry: string
  /** Other entries that name the same incident and the same cure, in the same way. */
  also?: string[]
  /** The alert of deploy/prometheus/alerts.yml that fires. */
  alert?: string
  /** Whether CI plays it. */
  critical?: true
  /** What has to be on this machine, and may not be. */
  needs?: { what: string, isThere: (fleet: Fleet) => boolean }
  /** By which means, for the table. */
  stagedBy: string
  stage: (fleet: Fleet) => Promise<unknown>
  /** Whether it still goes on, as users or replicas meet it. */
  lasts: (fleet: Fleet) => Promise<boolean>
  /** The codes of the lines that the log gets. */
  logs?: string[]
  /** What doctor says, by its checks. */
  finds?: Record<string, RegExp>
  /** The commands with which the entry has somebody look, by their beginnings, and what each prints. */
  shows?: Record<string, RegExp>
  /** What people may be answered meanwhile, besides 200. */
  answers?: number[]
  /** What the entry has somebody do, in order. */
  cure: Step[]
  /** What stands for placeholders, or for examples of the page. `output` is all that was printed so far. */
  values?: (output: string, fleet: Fleet) => Record<string, string>
  /** How soon all is well again, in the words of the entry. */
  recovers: string
  /** Takes back what the cure leaves in place. */
  after?: Step[]
  /** What others may lose by it, because the entry says so. */
  mayLose?: RegExp
}

/**
 * The beginning of a command that the entry prints. Or that of a command which prints commands: these are run. Or words
 * of the entry that name no command, and what somebody does then, or what happens by itself.
 */
export type Step = string | { printedBy: string } | { words: string, act: (fleet: Fleet) => Promise<unknown> }

export interface Played {
  seen: string
  cured: string
  recoveredMs: number
  lost: string[]
  /** What the rule of its alert judged, if that is to be recorded. */
  recording?: Recording | undefined
}

/** An alert or doctor notices an incident after the `for:` of the rule and this time. */
const NOTICED_MS = 15_000
const WELL_AGAIN_MS = 60_000

/** @throws at the first thing that is not as the entry says */
export async function play (
  rehearsal: Rehearsal, fleet: Fleet, { keepsakes, users, withoutCure, record }: {
    keepsakes: () => Promise<Keepsakes>, users: () => Promise<Answers>, withoutCure: boolean, record: boolean
  }
): Promise<Played> {
  const { name, alert, stage, lasts, recovers, cure, after = [], mayLose } = rehearsal
  const entry = entryOf(rehearsal.entry)
  const promiseMs = promiseOf(entry, recovers)
  await mustBeWell(fleet)
  await until(async () => alert === undefined || !await fleet.prometheus?.isFiring(alert), `${alert} has ended`)
  const before = await keepsakes()
  const linesBefore = codesOf(fleet)
  await users()
  const take = stepper(rehearsal, entry, fleet)
  if (record && alert) await setTimeout(AROUND_S * 1000)
  const recordedSinceMs = Date.now() - AROUND_S * 1000
  try {
    await stage(fleet)
    const startedMs = performance.now()
    const seen = await noticed(rehearsal, fleet, linesBefore, startedMs)
    const recording = record && alert ? await recordingOf({ name, alert }, fleet, recordedSinceMs) : undefined
    await look(rehearsal, take)
    if (withoutCure) {
      await setTimeout(promiseMs + 1000)
      if (!await lasts(fleet)) throw new Error('it recovered without its cure')
    }
    for (const step of cure) await take(step)
    const recoveredMs = await recovered(() => lasts(fleet), promiseMs)
    await fleet.rest()
    await mustBeWell(fleet)
    mustBeAnswered(await users(), rehearsal)
    for (const step of after) await take(step)
    const lost = lostOf(before, await keepsakes()).filter(name => !mayLose?.test(name))
    if (lost.length > 0) throw new Error(`others have lost: ${lost.join(', ')}`)
    return { seen, cured: cure.map(textOf).join('; '), recoveredMs, lost, recording }
  } catch (error) {
    // So that the next one finds the fleet well.
    for (const step of cure) await take(step).catch(() => {})
    throw error
  } finally {
    await fleet.rest()
  }
}

/** @returns what the rule judged, until some seconds after it fired */
async function recordingOf (
  of: { name: string, alert: string }, { prometheus }: Fleet, sinceMs: number
): Promise<Recording | undefined> {
  await setTimeout(AROUND_S * 1000)
  return await prometheus?.record(of, sinceMs)
}

/** @returns after how many ms it was over, by the begin of the look that found so */
async function recovered (lasts: () => Promise<boolean>, promiseMs: number): Promise<number> {
  const startedMs = performance.now()
  for (;;) {
    const passedMs = performance.now() - startedMs
    if (!await lasts()) return passedMs
    if (passedMs > promiseMs) throw new Error(`it is not over after ${promiseMs} ms`)
    await setTimeout(50)
  }
}

/** @throws if the page has not what the rehearsal needs of it: its entry, the time in it, each step */
export function mustBePrinted (rehearsal: Rehearsal): void {
  const { name, entry: title, also = [], recovers, cure, after = [], shows = {} } = rehearsal
  try {
    for (const other of also) entryOf(other)
    const entry = entryOf(title)
    promiseOf(entry, recovers)
    for (const step of [...cure, ...after, ...Object.keys(shows)]) {
      if (typeof step === 'object' && 'words' in step) mustSay(entry, step.words)
      else commandOf(entry, typeof step === 'string' ? step : step.printedBy)
    }
  } catch (cause) {
    throw new Error(`${name}: ${(cause as Error).message}`, { cause })
  }
}

function mustSay (entry: string, words: string): void {
  if (!entry.replaceAll(/\s+/g, ' ').includes(words)) throw new Error(`the entry does not say "${words}"`)
}

/** @returns after how many seconds each sign was there */
async function noticed (
  { lasts, logs = [], finds = {}, alert }: Rehearsal, fleet: Fleet, linesBefore: Map<string, number>, startedMs: number
): Promise<string> {
  const { prometheus } = fleet
  const sign = async (name: string, claim: () => Promise<boolean>, patienceMs = NOTICED_MS): Promise<string> => {
    await until(claim, name, patienceMs)
    return `${name} ${((performance.now() - startedMs) / 1000).toFixed(1)} s`
  }
  const newLines = (code: string): number => (codesOf(fleet).get(code) ?? 0) - (linesBefore.get(code) ?? 0)
  const checks = Object.keys(finds)
  const signs = await Promise.all([
    sign('', () => lasts(fleet)).then(() => []),
    ...logs.map(code => sign(code, async () => newLines(code) > 0)),
    ...checks.length > 0 ? [sign(`doctor: ${checks.join(', ')}`, () => isFound(finds, fleet))] : [],
    ...alert && prometheus
      ? [sign(alert, () => prometheus.isFiring(alert), prometheus.holdsForMs(alert) + NOTICED_MS)]
      : []
  ])
  return signs.flat().join(', ')
}

/** @throws with what doctor says instead */
async function isFound (finds: Record<string, RegExp>, { doctor }: Fleet): Promise<boolean> {
  const findings = (await doctor()).filter(({ check }) => check in finds)
  for (const [name, text] of Object.entries(finds)) {
    const isThere = findings.some(({ check, status, found, remedy = '' }) =>
      check === name && status !== 'ok' && text.test(`${found} -> ${remedy}`))
    if (!isThere) throw new Error(`${text} is not in ${JSON.stringify(findings, null, 2)}`)
  }
  return true
}

async function look ({ shows = {} }: Rehearsal, take: (step: Step) => Promise<string>): Promise<void> {
  for (const [command, text] of Object.entries(shows)) {
    const output = await take(command)
    if (!text.test(output)) throw new Error(`"${command}…" does not print ${text}:\n${output.slice(-2000)}`)
  }
}

/** @returns a function that takes a step, and gives what it printed */
function stepper ({ values }: Rehearsal, entry: string, fleet: Fleet): (step: Step) => Promise<string> {
  let printed = ''
  const run = async (command: string): Promise<string> => {
    const output = await fleet.shell(filled(commandOf(entry, command), values?.(printed, fleet)))
    printed += output
    return output
  }
  return async (step) => {
    if (typeof step === 'string') return await run(step)
    if ('printedBy' in step) {
      const commands = [...(await run(step.printedBy)).matchAll(/^ +(gatehouse .+)$/gm)].map(([, command]) => command!)
      for (const command of commands) await fleet.shell(command)
      return commands.join('\n')
    }
    mustSay(entry, step.words)
    await step.act(fleet)
    return ''
  }
}

const textOf = (step: Step): string =>
  typeof step === 'string' ? step : 'words' in step ? `"${step.words}"` : `what "${step.printedBy}" prints`

function codesOf ({ logLines }: Fleet): Map<string, number> {
  const codes = new Map<string, number>()
  for (const { code } of logLines()) if (typeof code === 'string') codes.set(code, (codes.get(code) ?? 0) + 1)
  return codes
}

/** Every replica is ready, alone decides by Redis, and counts the others. */
async function mustBeWell (fleet: Fleet): Promise<void> {
  let wrong: string[] = []
  await until(async () => {
    wrong = await whatIsWrong(fleet)
    return wrong.length === 0
  }, 'the fleet is well', WELL_AGAIN_MS).catch((cause: Error) => {
    throw new Error(`the fleet is not well: ${wrong.join('; ')}`, { cause })
  })
}

async function whatIsWrong (fleet: Fleet): Promise<string[]> {
  const { replicas, metric } = fleet
  const states = await Promise.all(replicas.map(async ({ name, opsUrl }) => {
    const reply = await fetch(`${opsUrl}/readyz`, { signal: AbortSignal.timeout(3000) })
    const text = await reply.text()
    return text.includes('"status":"ready"') ? [] : [`${name}: ${text}`]
  }).map(one => one.catch((error: Error) => [error.message])))
  const each = async (name: string, value: number): Promise<string[]> => {
    const found = await metric(name)
    const isRight = found.length === replicas.length && found.every(one => one === value)
    return isRight ? [] : [`${name} is ${found.join(', ')}`]
  }
  const metrics = await Promise.all([
    each('gatehouse_limiter_fallback_active', 0), each('gatehouse_limits_agree', 1),
    each('gatehouse_limiter_replicas', replicas.length), each('gatehouse_database_reachable', 1),
    each('gatehouse_canary_ok', 1), each('gatehouse_module_breaker_open', 0)
  ])
  return [...states, ...metrics].flat()
}

function mustBeAnswered (seen: Answers, { answers = [] }: Rehearsal): void {
  const wrong = [...seen].filter(([answer]) => ![200, ...answers].includes(Number.parseInt(answer, 10)))
  if (wrong.length === 0) return
  throw new Error(`people were answered ${wrong.map(([answer, count]) => `${answer} (${count} times)`).join(', ')}`)
}
