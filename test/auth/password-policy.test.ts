import t from 'tap'
import { passwordFault } from '#src/auth/password-policy.js'

const few = 'must have at least 8 characters'
const long = 'must have at most 72 bytes in UTF-8'
const letters = 'has characters that are not allowed here'
const guessed = 'is among the first that would be guessed: use several words, or more characters'
const name = 'must not be the username'

const table: Array<[what: string, password: string, fault: string | undefined, username?: string]> = [
  ['S43: 7 characters', 'x7-kq!m', few],
  ['S43: 8 characters', 'x7-kq!mz', undefined],
  ['S43: 7 emoji, though 28 bytes', '😀😁😂🤣😃😄😅', few],
  ['S43: 8 emoji', '😀😁😂🤣😃😄😅😆', undefined],
  ['S43: 7 letters that are typed as 14', 'a\u0308o\u0308u\u0308a\u0308o\u0308u\u0308e\u0308', few],
  ['S43: a phrase with spaces', 'my dog eats', undefined],
  ['S43: small letters only', 'kwzhplmvr', undefined],
  ['S43: no letter at all', '?!:;,.-_', undefined],
  ['S44: 72 bytes', 'abcdefgh'.repeat(9), undefined],
  ['S44: 73 bytes', `${'abcdefgh'.repeat(9)}i`, long],
  ['S44: 72 bytes in 36 letters', 'äöü'.repeat(12), undefined],
  ['S44: 73 bytes in 37 letters', `${'äöü'.repeat(12)}x`, long],
  ['S44: 108 bytes typed, 72 once composed', 'äöü'.repeat(12).normalize('NFD'), undefined],
  ['S44: 10 kB', 'abcdefgh'.repeat(1250), long],
  ['S45: NUL', 'correct\0horse', letters],
  ['S45: half of a surrogate pair', 'correct horse \ud83d', letters],
  ['S45: the other half first', '\ude00 correct horse', letters],
  ['S47: 64 ASCII characters', 'Kq7!'.repeat(16), undefined],
  ['nothing', '', few],
  ['S46: the first of every list', 'password', guessed],
  ['S46: in capitals', 'PASSWORD', guessed],
  ['S46: in full width', 'ｐａｓｓｗｏｒｄ', guessed],
  ['S46: with digits behind', 'password2026', guessed],
  ['S46: with signs around', '!!password!!', guessed],
  ['S46: digits in a row', '1234567890', guessed],
  ['S46: a row of keys', 'qwertyuiop', guessed],
  ['S46: what this service is', 'erp2026!', guessed],
  ['S46: what this service is, in a year', 'ERP-2026-2027', guessed],
  ['S46: whom it serves', 'Student2026', guessed],
  ['S46: its name', 'gatehouse1', guessed],
  ['S46: one character', 'aaaaaaaaaaaa', guessed],
  ['S46: two characters', 'abababababab', guessed],
  ['S46: spaces only', '          ', guessed],
  ['S46: a common word among others', 'my password is long', undefined],
  ['S46: the username', 'asha.verma', name, 'asha.verma'],
  ['S46: the username, in other letters', 'ASHA.Verma', name, 'asha.verma'],
  ['S46: the username in full width', 'ａｓｈａ.verma', name, 'asha.verma'],
  ['S46: the username with a year', 'asha.verma2026', name, 'asha.verma'],
  ['S46: the username with signs around', '!asha.verma!', name, 'Asha.Verma'],
  ['S46: the username without its digits', 'ashaverma-77', name, 'ashaverma2019'],
  ['S46: a username of digits', '20261234', name, '20261234'],
  ['S46: other digits than a username\'s', '83726154', undefined, '20261234'],
  ['S46: a phrase with the username in it', 'asha.verma eats mangoes', undefined, 'asha.verma'],
  ['no username to compare with', '?!:;,.-_', undefined, '']
]

for (const [what, password, fault, username = 'somebody'] of table) {
  t.test(`${what}: ${fault ?? 'will do'}`, async (t) => {
    t.equal(passwordFault(password, username), fault)
  })
}

t.test('S47: what is said of a password never repeats it', async (t) => {
  for (const password of ['hunter2', 'password2026', 'asha.verma', `hunter2${'x'.repeat(70)}`]) {
    t.notOk(passwordFault(password, 'asha.verma')?.includes(password))
  }
})
