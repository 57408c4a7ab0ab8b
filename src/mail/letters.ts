import type { Mail } from '../../prisma/client.js'
import { escapeHtml } from '../base/html.js'
import { translatedDuration, fillTemplate, type Language, type Wording } from '../languages/languages.js'
import { INVITATION_DAYS, RESET_TOKEN_MINUTES } from './link-tokens.js'

/** The content of a mail, with both of its parts. */
export interface Letter {
  subject: string
  text: string
  html: string
}

/** Whose mail it is. `link` is where one that has `{link}` leads. */
export interface Addressee {
  username: string
  hasPassword: boolean
  link?: URL
}

type Paragraph = { text: string, values: Record<string, URL | string> }

/**
 * A mail of a kind has the texts `mail.<kind>.subject` and `mail.<kind>.text` of its language. Only operators send a
 * `test`.
 */
export function letter (
  kind: Mail['kind'] | 'test', account: Addressee, language: Language, wording: Omit<Wording, 'languages'>
): Letter {
  const text = language.texts[`mail.${kind}.text`]
  return composed(kind, paragraphsOf(text, account, language, wording), language, wording)
}

/** A reset mail with a link for each of several accounts, whose own text stands in the place of `{accounts}`. */
export function letterToSeveral (
  accounts: readonly Addressee[], language: Language, wording: Omit<Wording, 'languages'>
): Letter {
  const { 'mail.accounts.text': text, 'mail.accounts.each': each } = language.texts
  const [before = [], after = []] = text.split('{accounts}').map(part =>
    paragraphsOf(part.trim(), accounts[0]!, language, wording))
  const links = accounts.flatMap(account => paragraphsOf(each, account, language, wording))
  return composed('password_reset', [...before, ...links, ...after], language, wording)
}

function paragraphsOf (
  text: string, { username, hasPassword, link }: Addressee, language: Language,
  { appName: app }: Pick<Wording, 'appName'>
): Paragraph[] {
  const validity = hasPassword
    ? translatedDuration(RESET_TOKEN_MINUTES, 'minute', language)
    : translatedDuration(INVITATION_DAYS, 'day', language)
  return text.split('\n\n').map(text => ({ text, values: { app, username, link: link ?? '', validity } }))
}

/** The longest word, which is a link, breaks on a phone: nothing has to be scrolled sideways. */
function composed (
  kind: Mail['kind'] | 'test', content: Paragraph[], language: Language,
  { appName, loginUrl }: Omit<Wording, 'languages'>
): Letter {
  const subject = language.texts[`mail.${kind}.subject`]
  const paragraphs: Paragraph[] = [
    ...content, ...loginUrl ? [{ text: '{app}: {loginUrl}', values: { app: appName, loginUrl } }] : []
  ]
  const filled = (show: (part: URL | string) => string): string[] =>
    paragraphs.map(({ text, values }) => fillTemplate<URL | string>(text, values, show))
  return {
    subject,
    text: `${filled(String).join('\n\n')}\n`,
    html: `<!doctype html>\n<html lang="${language.code}">\n<meta charset="utf-8">\n` +
      `<meta name="viewport" content="width=device-width">\n<title>${escapeHtml(subject)}</title>\n` +
      '<body dir="auto" style="overflow-wrap:anywhere;word-break:break-word">\n' +
      `${filled(asHtml).map(html => `<p>${html}</p>`).join('\n')}\n</body>\n</html>\n`
  }
}

const asHtml = (part: URL | string): string =>
  part instanceof URL ? `<a href="${escapeHtml(part.href)}">${escapeHtml(part.href)}</a>` : escapeHtml(part)
