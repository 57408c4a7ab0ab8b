import { Failure } from './output.js'

/**
 * Asks whether to go on. Without a terminal, only --yes goes on.
 *
 * @param what such as `this resets 3 buckets`
 * @param otherwise what is true if the answer is no
 * @throws {Failure}
 */
export async function confirm (what: string, otherwise: string): Promise<void> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) throw new Failure(`${what}: repeat it with --yes`, 2)
  const { read } = await import('read')
  const answer = await read({ prompt: `gatehouse: ${what}. Go on? [y/N]`, output: process.stderr }).catch(() => {
    process.stderr.write('\n')
  })
  if (!/^y(es)?$/i.test(String(answer))) throw new Failure(otherwise)
}
