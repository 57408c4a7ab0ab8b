// Passwords have 8 characters to 72 bytes. Common ones and the username are refused, and no message repeats a password.

import t from 'tap'
import { passwordFault } from '#src/auth/password-policy.js'

const few = 'must have at least 8 characters'
const long = 'must have at most 72 bytes in UTF-8'
const letters = 'has characters that are not allowed here'
const guessed = 'is among the first that would be guessed: use several words, or more characters'
const name = 'must not be the username'

const table: Array<[what: string, password: string, fault: string | undefined, username?: string]> = [
  ['7 characters [S43]', 'x7-kq!m', few],
  ['8 characters [S43]', 'x7-kq!mz', undefined],
  ['7 emoji, though 28 bytes [S43]', '😀😁😂🤣😃😄😅', few],
  ['8 emoji [S43]', '😀😁😂🤣😃😄😅😆', undefined],
  ['7 letters that are typed as 14 [S43]', 'a\u0308o\u0308u\u0308a\u0308o\u0308u\u0308e\u0308', few],
  ['a phrase with spaces [S43]', 'my dog eats', undefined],
  ['small letters only [S43]', 'kwzhplmvr', undefined],
  ['no letter at all [S43]', '?!:;,.-_', undefined],
  ['72 bytes [S44]', 'abcdefgh'.repeat(9), undefined],
  ['73 bytes [S44]', `${'abcdefgh'.repeat(9)}i`, long],
  ['72 bytes in 36 letters [S44]', 'äöü'.repeat(12), undefined],
  ['73 bytes in 37 letters [S44]', `${'äöü'.repeat(12)}x`, long],
  ['108 bytes typed, 72 once composed [S44]', 'äöü'.repeat(12).normalize('NFD'), undefined],
  ['10 kB [S44]', 'abcdefgh'.repeat(1250), long],
  ['NUL [S45]', 'correct\0horse', letters],
  ['half of a surrogate pair [S45]', 'correct horse \ud83d', letters],
  ['the other half first [S45]', '\ude00 correct horse', letters],
  ['64 ASCII characters [S47]', 'Kq7!'.repeat(16), undefined],
  ['nothing', '', few],
  ['the first of every list [S46]', 'password', guessed],
  ['in capitals [S46]', 'PASSWORD', guessed],
  ['in full width [S46]', 'ｐａｓｓｗｏｒｄ', guessed],
  ['with digits behind [S46]', 'password2026', guessed],
  ['with signs around [S46]', '!!password!!', guessed],
  ['digits in a row [S46]', '1234567890', guessed],
  ['a row of keys [S46]', 'qwertyuiop', guessed],
  ['what this service is [S46]', 'erp2026!', guessed],
  ['what this service is, in a year [S46]', 'ERP-2026-2027', guessed],
  ['whom it serves [S46]', 'Student2026', guessed],
  ['its name [S46]', 'gatehouse1', guessed],
  ['one character [S46]', 'aaaaaaaaaaaa', guessed],
  ['two characters [S46]', 'abababababab', guessed],
  ['spaces only [S46]', '          ', guessed],
  ['a common word among others [S46]', 'my password is long', undefined],
  ['the username [S46]', 'asha.verma', name, 'asha.verma'],
  ['the username, in other letters [S46]', 'ASHA.Verma', name, 'asha.verma'],
  ['the username in full width [S46]', 'ａｓｈａ.verma', name, 'asha.verma'],
  ['the username with a year [S46]', 'asha.verma2026', name, 'asha.verma'],
  ['the username with signs around [S46]', '!asha.verma!', name, 'Asha.Verma'],
  ['the username without its digits [S46]', 'ashaverma-77', name, 'ashaverma2019'],
  ['a username of digits [S46]', '20261234', name, '20261234'],
  ['other digits than a username\'s [S46]', '83726154', undefined, '20261234'],
  ['a phrase with the username in it [S46]', 'asha.verma eats mangoes', undefined, 'asha.verma'],
  ['no username to compare with', '?!:;,.-_', undefined, '']
]

for (const [what, password, fault, username = 'somebody'] of table) {
  t.test(`${fault ?? 'accepted'}: ${what}`, async (t) => {
    t.equal(passwordFault(password, username), fault)
  })
}

// S47
t.test('no message repeats the password', async (t) => {
  for (const password of ['hunter2', 'password2026', 'asha.verma', `hunter2${'x'.repeat(70)}`]) {
    t.notOk(passwordFault(password, 'asha.verma')?.includes(password))
  }
})
