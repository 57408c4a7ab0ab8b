// Passwords have 8 characters to 72 bytes. Common ones and the username are refused, and no message repeats a password.

import t from 'tap'
import { passwordFault } from '#src/auth/password-policy.js'

const few = 'must have at least 8 characters'
const long = 'must have at most 72 bytes in UTF-8'
const letters = 'has characters that are not allowed here'
const guessed = 'is among the first that would be guessed: use several words, or more characters'
const name = 'must not be the username'

// S43 S44 S45 S46 S47
const table: Array<[what: string, password: string, fault: string | undefined, username?: string]> = [
  ['7 characters', 'x7-kq!m', few],
  ['8 characters', 'x7-kq!mz', undefined],
  ['7 emoji, though 28 bytes', '😀😁😂🤣😃😄😅', few],
  ['7 letters that are typed as 14', 'a\u0308o\u0308u\u0308a\u0308o\u0308u\u0308e\u0308', few],
  ['a phrase with spaces', 'my dog eats', undefined],
  ['small letters only', 'kwzhplmvr', undefined],
  ['72 bytes', 'abcdefgh'.repeat(9), undefined],
  ['73 bytes', `${'abcdefgh'.repeat(9)}i`, long],
  ['72 bytes in 36 letters', 'äöü'.repeat(12), undefined],
  ['73 bytes in 37 letters', `${'äöü'.repeat(12)}x`, long],
  ['108 bytes typed, 72 once composed', 'äöü'.repeat(12).normalize('NFD'), undefined],
  ['NUL', 'correct\0horse', letters],
  ['half of a surrogate pair', 'correct horse \ud83d', letters],
  ['64 ASCII characters', 'Kq7!'.repeat(16), undefined],
  ['nothing', '', few],
  ['the first of every list', 'password', guessed],
  ['in capitals', 'PASSWORD', guessed],
  ['in full width', 'ｐａｓｓｗｏｒｄ', guessed],
  ['with digits behind', 'password2026', guessed],
  ['with signs around', '!!password!!', guessed],
  ['a row of keys', 'qwertyuiop', guessed],
  ['what this service is', 'erp2026!', guessed],
  ['whom it serves', 'Student2026', guessed],
  ['one character', 'aaaaaaaaaaaa', guessed],
  ['a common word among others', 'my password is long', undefined],
  ['the username', 'asha.verma', name, 'asha.verma'],
  ['the username, in other letters', 'ASHA.Verma', name, 'asha.verma'],
  ['the username with a year', 'asha.verma2026', name, 'asha.verma'],
  ['the username without its digits', 'ashaverma-77', name, 'ashaverma2019'],
  ['a username of digits', '20261234', name, '20261234'],
  ['other digits than a username\'s', '83726154', undefined, '20261234'],
  ['a phrase with the username in it', 'asha.verma eats mangoes', undefined, 'asha.verma']
]

for (const [what, password, fault, username = 'somebody'] of table) {
  t.test(`${fault ?? 'accepted'}: ${what}`, async (t) => {
    t.equal(passwordFault(password, username), fault)
  })
}
