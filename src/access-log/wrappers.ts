/*
 * What a container engine, an init system or a log shipper puts around each line of a program.
 */

const ISO = '\\d{4}-\\d\\d-\\d\\dT[\\d:.,]+(?:Z|[+-]\\d\\d:?\\d\\d)'

/** `name[pid]: `, as syslog and `journalctl` end what they put in front. */
const TAG = '[\\w./-]+(?:\\[\\d+\\])?: '

const prefixes = new RegExp('^(?:' + [
  // `docker compose logs`, perhaps with colours.
  '(?:\\x1b\\[[\\d;]*m)*[\\w.-]+ +\\| ?(?:\\x1b\\[[\\d;]*m)*',
  // Kubernetes: the files of the CRI. A line of over 16 KB is in parts, which are unreadable.
  `${ISO} (?:stdout|stderr) [FP] `,
  // Syslog by RFC 5424: time, host, program, process, message id, and structured data.
  `<\\d{1,3}>1 ${ISO} \\S+ \\S+ \\S+ \\S+ (?:-|(?:\\[(?:[^\\]\\\\]|\\\\.)*\\])+) (?:\\xef\\xbb\\xbf)?`,
  // Syslog by RFC 3164, and `journalctl` with a short time.
  `(?:<\\d{1,3}>)?(?:[A-Z][a-z]{2} [ \\d]\\d \\d\\d:\\d\\d:\\d\\d|${ISO}) \\S+ ${TAG}`,
  // `docker logs --timestamps`.
  `${ISO} `
].join('|') + ')')

/** Each wrapper may be in another one, such as the lines of compose in the journal. */
const MAX_WRAPPERS = 3

export function unwrapLine (line: string): string {
  let inner = line
  for (let i = 0; i < MAX_WRAPPERS; i++) {
    const next = inner.startsWith('{') ? messageOf(inner) : inner.replace(prefixes, '')
    if (next === inner) break
    inner = next
  }
  return inner
}

/** Of Docker's json-file driver, and of `journalctl --output json`. */
function messageOf (line: string): string {
  // Without the first quote, of which a line has many, the search is four times faster.
  if (!line.startsWith('{"log":"') && !line.includes('MESSAGE":"')) return line
  try {
    const { log, MESSAGE: message = log } = JSON.parse(line) as Record<string, unknown>
    return typeof message === 'string' ? message.trimEnd() : line
  } catch {
    return line
  }
}
