import type { Mail } from '../../prisma/client.js'
import { escape } from '../base/html.js'
import { duration, fill, type Language, type Wording } from '../languages/languages.js'
import { INVITATION_DAYS, RESET_TOKEN_MINUTES } from './reset-tokens.js'

/** The content of a mail, with both of its parts. */
export interface Letter {
  subject: string
  text: string
  html: string
}

/**
 * A mail of a kind has the texts `mail.<kind>.subject` and `mail.<kind>.text` of its language. Only operators send a
 * `test`. The longest word, which is the link, breaks on a phone: nothing has to be scrolled sideways.
 *
 * @param link where a kind that has `{link}` leads
 */
export function letter (
  kind: Mail['kind'] | 'test', { username, hasPassword, link }: { username: string, hasPassword: boolean, link?: URL },
  language: Language, { appName, loginUrl }: Omit<Wording, 'languages'>
): Letter {
  const subject = language.texts[`mail.${kind}.subject`]
  const validity = hasPassword
    ? duration(RESET_TOKEN_MINUTES, 'minute', language)
    : duration(INVITATION_DAYS, 'day', language)
  const values = { app: appName, username, link: link ?? '', validity }
  const paragraphs = [
    ...language.texts[`mail.${kind}.text`].split('\n\n').map(text => ({ text, values })),
    ...loginUrl ? [{ text: '{app}: {loginUrl}', values: { app: appName, loginUrl } }] : []
  ]
  const filled = (show: (part: URL | string) => string): string[] =>
    paragraphs.map(({ text, values }) => fill<URL | string>(text, values, show))
  return {
    subject,
    text: `${filled(String).join('\n\n')}\n`,
    html: `<!doctype html>\n<html lang="${language.code}">\n<meta charset="utf-8">\n` +
      `<meta name="viewport" content="width=device-width">\n<title>${escape(subject)}</title>\n` +
      '<body dir="auto" style="overflow-wrap:anywhere;word-break:break-word">\n' +
      `${filled(asHtml).map(html => `<p>${html}</p>`).join('\n')}\n</body>\n</html>\n`
  }
}

const asHtml = (part: URL | string): string =>
  part instanceof URL ? `<a href="${escape(part.href)}">${escape(part.href)}</a>` : escape(part)
