import { INVITATION_DAYS, RESET_TOKEN_MINUTES } from './reset-tokens.js'

/** The content of a mail, with both of its parts. */
export interface Letter {
  subject: string
  text: string
  html: string
}

export function resetLetter (username: string, link: URL): Letter {
  return letter('Set a new password', [
    `Someone asked for a new password for the account ${username}. If it was you, set it here:`,
    link,
    `The link works once, for ${RESET_TOKEN_MINUTES} minutes, and only until a newer one is sent.`,
    'If it was not you, ignore this mail: your password stays as it is.'
  ])
}

export function invitationLetter (username: string, link: URL): Letter {
  return letter('Set your password', [
    `There is a new account for you. Your username is ${username}. Set your password here:`,
    link,
    `The link works once, for ${INVITATION_DAYS} days, and only until a newer one is sent.`,
    'If you do not know what this is about, ignore this mail: without a password, nobody can log in.'
  ])
}

export function changedLetter (username: string): Letter {
  return letter('Your password was changed', [
    `The password of the account ${username} was changed just now, and every earlier login of it has ended.`,
    'If it was not you, ask for a new password at once, and tell the people who run this service.'
  ])
}

function letter (subject: string, paragraphs: Array<string | URL>): Letter {
  const html = paragraphs.map(part =>
    part instanceof URL ? `<p><a href="${escape(part.href)}">${escape(part.href)}</a></p>` : `<p>${escape(part)}</p>`)
  return {
    subject,
    text: `${paragraphs.map(String).join('\n\n')}\n`,
    html: '<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n' +
      `<title>${escape(subject)}</title>\n${html.join('\n')}\n</html>\n`
  }
}

function escape (text: string): string {
  return text.replace(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`)
}
