import { languageOf, type Wording } from '../languages/languages.js'
import { hasResetLink } from './account-mails.js'
import { letter, letterToSeveral, type Addressee, type Letter } from './letters.js'
import type { ClaimedMail, Recipient } from './mails.js'

/** The part of a letter that is one account's: mostly all of it. */
export interface Part {
  mail: ClaimedMail
  recipient: Recipient
  /** That of its link, if it has one: see link-tokens.ts. */
  token: string
}

/** What a link in a mail stands for. Each of these may be called again with the same token, by another try. */
export interface Links {
  /** Makes the token good for a new password. That of the last sent mail stays good, too. @returns the page for it */
  beginReset: (recipient: Recipient, token: string) => Promise<URL>
  /** The mail was sent: its token is the only one from now on. */
  confirmReset: (token: string) => Promise<void>
  /** Begins an enrolment of a second factor. @returns the page for it */
  beginEnrolment: (recipient: Recipient, token: string) => Promise<URL>
}

/**
 * The letter of some mails of one address, in the language of the first. Each account has a link of its own, which says
 * nothing about the others.
 */
export async function writeLetter (parts: Part[], links: Links, wording: Wording): Promise<Letter> {
  const [{ mail: { kind, language: code }, recipient, token }] = parts as [Part]
  const language = languageOf(wording.languages, code)
  if (kind === 'second_factor') {
    const link = await links.beginEnrolment(recipient, token)
    // The link is valid as long as one of a password, whether or not there is a password.
    return letter(kind, { username: recipient.username, hasPassword: true, link }, language, wording)
  }
  if (!hasResetLink(kind)) return letter(kind, recipient, language, wording)
  const accounts: Addressee[] = []
  for (const { recipient, token } of parts) {
    accounts.push({ ...recipient, link: await links.beginReset(recipient, token) })
  }
  if (accounts.length === 1) return letter(kind, accounts[0]!, language, wording)
  return letterToSeveral(accounts.sort((a, b) => a.username < b.username ? -1 : 1), language, wording)
}
