/** How much of another server's words is passed on: they may have any length. */
const MAX_LENGTH = 300

/** Another server's words in one line, such as those of an error. */
export const inOneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim().slice(0, MAX_LENGTH)

/** `1 bucket`, `2 buckets`. */
export const count = (number: number, thing: string): string => `${number} ${thing}${number === 1 ? '' : 's'}`
