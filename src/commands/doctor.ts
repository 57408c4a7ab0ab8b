import { examine } from '../doctor/examine.js'
import type { CheckResult } from '../doctor/run-checks.js'
import type { CommonFlags } from './options.js'
import { Failure, print, printable } from './output.js'

/** The length of the longest name of a check. */
const WIDTH = 'database-connections'.length

export async function doctor ({ json }: CommonFlags): Promise<void> {
  const findings = await examine()
  const ill = findings.filter(({ status }) => status === 'action').length
  print(json, { ok: ill === 0, findings }, () => findings.map(lineOf).join(''))
  if (ill > 0) throw new Failure(`${ill} of ${findings.length} findings need action`)
}

function lineOf ({ status, check, found, remedy }: CheckResult): string {
  const head = `${status.padEnd('action'.length)}  ${check.padEnd(WIDTH)}  `
  return `${head}${oneLine(found)}${remedy === undefined ? '' : ` -> ${oneLine(remedy)}`}\n`
}

/** Some of the text comes from replicas, servers, or whatever answers at PUBLIC_URL. */
const oneLine = (text: string): string => printable(text.replaceAll(/\s+/g, ' '))
