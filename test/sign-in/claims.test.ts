// Which claims of a valid ID token are believed: whose domain it is, whose address, and which role.

import t from 'tap'
import { mappedRole, whyNoMember, vouchedEmail } from '#src/sign-in/claims.js'
import type { Provider } from '#src/sign-in/provider.js'

const base = { name: 'a', label: 'A', issuer: 'https://a.example', clientId: 'x', clientSecret: 'x', domains: [] }
const google: Provider = { ...base, domains: ['school.example', 'pupils.school.example'] }
const keycloak: Provider = { ...google, domainFrom: 'email' }
const tenant = '3f1a2b4c-0000-4000-8000-000000000000'
const entra: Provider = { ...base, tenant }
const linkedOnly: Provider = { ...base, linkedOnly: true }

const hd = 'school.example'
const email = 'asha@school.example'

/** What is believed of claims: that they are of the school, and the address. */
const cases: Array<[provider: Provider, claims: object, isOfSchool: boolean, address: string | undefined]> = [
  [google, { hd, email, email_verified: true }, true, email],
  [google, { hd: 'SCHOOL.example', email: 'Asha@School.Example', email_verified: true }, true, email],
  [google, { hd, email: 'asha@pupils.school.example', email_verified: true }, true, 'asha@pupils.school.example'],
  // A private account can have the address of a school.
  [google, { email, email_verified: true }, false, email],
  [google, { hd: 'other.example', email, email_verified: true }, false, email],
  [google, { hd: ['school.example'], email, email_verified: true }, false, email],
  [google, { hd, email: 'asha@other.example', email_verified: true }, true, undefined],
  [google, { hd, email: 'asha@school.example.other.example', email_verified: true }, true, undefined],
  [google, { hd, email: 'other@other.example@school.example', email_verified: true }, true, undefined],
  [google, { hd, email, email_verified: false }, true, undefined],
  [google, { hd, email, email_verified: 'false' }, true, undefined],
  [google, { hd, email, email_verified: 'true' }, true, undefined],
  [google, { hd, email }, true, undefined],
  [google, { hd, email: [email], email_verified: true }, true, undefined],
  [google, { hd }, true, undefined],
  [keycloak, { email, email_verified: true }, true, email],
  [keycloak, { email, email_verified: false }, false, undefined],
  [keycloak, { email, email_verified: 'false' }, false, undefined],
  [keycloak, { hd, email: 'asha@other.example', email_verified: true }, false, undefined],
  [entra, { tid: tenant, email, xms_edov: true }, true, email],
  [entra, { tid: tenant, email, xms_edov: '1' }, true, email],
  [entra, { tid: tenant, email, xms_edov: 1 }, true, email],
  [entra, { tid: tenant, email }, true, undefined],
  [entra, { tid: tenant, email, xms_edov: false }, true, undefined],
  [entra, { tid: tenant, email, xms_edov: '0' }, true, undefined],
  [entra, { tid: tenant, email, xms_edov: 'false' }, true, undefined],
  [entra, { tid: tenant, email, email_verified: true }, true, undefined],
  [entra, { tid: '3f1a2b4c-0000-4000-8000-000000000001', email, xms_edov: true }, false, email],
  [entra, { email, xms_edov: true }, false, email],
  [linkedOnly, { hd, email, email_verified: true }, true, undefined]
]

t.test('only a provider that vouches for the domain and the address is believed', async (t) => {
  for (const [provider, claims, isOfSchool, address] of cases) {
    const given = { sub: '1', ...claims }
    t.equal(whyNoMember(provider, given) === undefined, isOfSchool, JSON.stringify(claims))
    t.equal(vouchedEmail(provider, given), address, JSON.stringify(claims))
  }
})

const roles = { claim: 'groups', map: { heads: 'HEAD', teachers: 'TEACHER' } }

/** The role of before, the claim, and the role of then. */
const roleCases: Array<[before: string, groups: unknown, after: string]> = [
  ['USER', ['teachers'], 'TEACHER'],
  ['USER', 'teachers', 'TEACHER'],
  ['USER', ['teachers', 'heads'], 'HEAD'],
  ['TEACHER', ['pupils'], 'USER'],
  ['TEACHER', [], 'USER'],
  ['TEACHER', undefined, 'USER'],
  ['TEACHER', [{ name: 'heads' }], 'USER'],
  ['USER', 'all teachers', 'USER'],
  ['USER', ['__proto__', 'toString'], 'USER'],
  ['LIBRARIAN', ['teachers'], 'LIBRARIAN'],
  ['ADMIN', ['teachers'], 'ADMIN'],
  ['ADMIN', [], 'ADMIN']
]

t.test('a map changes the roles that it names, and no others', async (t) => {
  for (const [before, groups, after] of roleCases) {
    const role = mappedRole({ ...google, roles }, { sub: '1', groups }, before)
    t.equal(role, after, `${before}, ${JSON.stringify(groups)}`)
  }
  t.equal(mappedRole(google, { sub: '1', groups: ['teachers'] }, 'USER'), 'USER', 'without a map')
  // What Entra writes in place of more than 200 groups.
  const elsewhere = { _claim_names: { groups: 'src1' }, _claim_sources: { src1: { endpoint: 'https://graph.example' } } }
  t.equal(mappedRole({ ...google, roles }, { sub: '1', ...elsewhere }, 'TEACHER'), 'TEACHER')
})
