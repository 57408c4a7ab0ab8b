// OIDC_FILE is checked before anything listens, and every fault is named at once.

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { readConfig } from '#src/config/load.js'
import { newDirectory } from '../fixtures/lifetime.js'
import { signInSettings } from '../fixtures/sign-in.js'

const google = { issuer: 'https://accounts.google.com', domains: ['school.example'] }
const tenant = '3f1a2b4c-0000-4000-8000-000000000000'

/** The faults of a provider with these members, and of the settings around it. */
function faultsOf (t: Test, providers: Array<Record<string, unknown>>, settings = {}): string[] {
  try {
    readConfig({ ...signInSettings(t, providers), ...settings })
    return []
  } catch (error) {
    return (error as { faults: string[] }).faults
  }
}

t.test('the three directories of schools are valid', async (t) => {
  t.same(faultsOf(t, [
    google,
    { issuer: `https://login.microsoftonline.com/${tenant}/v2.0`, tenant, passwords: false, provision: true },
    {
      issuer: 'https://id.college.example/realms/staff',
      domains: ['college.example'],
      domainFrom: 'email',
      roles: { claim: 'roles', map: { teacher: 'TEACHER' } }
    }
  ]), [])
  t.same(faultsOf(t, [{ issuer: 'http://localhost:8080', linkedOnly: true }]), [])
})

t.test('what would let strangers in, or nobody, is a fault', async (t) => {
  const wrong: Array<[members: Record<string, unknown>, fault: RegExp]> = [
    [{ ...google, issuer: 'https://login.microsoftonline.com/common/v2.0' }, /issuer is for accounts of every tenant/],
    [{ ...google, issuer: 'https://login.microsoftonline.com/Organizations/v2.0' }, /every tenant/],
    [{ ...google, issuer: 'https://login.microsoftonline.com/consumers' }, /every tenant/],
    [{ issuer: google.issuer }, /must have one of domains, tenant, and "linkedOnly": true/],
    [{ issuer: google.issuer, linkedOnly: false }, /must have one of/],
    [{ ...google, tenant }, /must have one of/],
    [{ ...google, domains: [] }, /domains: must be one or more domains/],
    [{ ...google, domains: ['@school.example'] }, /domains\.0: must be a domain/],
    [{ ...google, domains: ['School.example'] }, /must be a domain/],
    [{ ...google, issuer: 'http://id.school.example' }, /issuer: must be an issuer such as/],
    [{ ...google, issuer: 'http://localhost.other.example' }, /issuer: must be/],
    [{ ...google, issuer: 'https://id.school.example?x' }, /issuer: must be/],
    [{ ...google, name: 'token' }, /name: must be a name/],
    [{ ...google, name: 'a/b' }, /name: must be a name/],
    [{ ...google, clientSecretFile: '/nowhere/secret' }, /clientSecretFile: \/nowhere\/secret does not exist/],
    [{ ...google, secret: 'x' }, /there is no "secret" here/],
    [{ ...google, roles: { claim: 'roles', map: { it: 'ADMIN' } } }, /must be a role such as TEACHER, and not ADMIN/],
    [{ ...google, domainFrom: 'tid' }, /domainFrom: must be hd/],
    [{ issuer: google.issuer, linkedOnly: true, provision: true }, /nobody can be provisioned/],
    [{ ...google, provision: 'yes' }, /provision: must be true or false/]
  ]
  for (const [members, fault] of wrong) t.match(faultsOf(t, [members]), [fault], JSON.stringify(members))
  t.match(faultsOf(t, [google, { ...google, name: 'a' }]), [/has the name of another/, /has the issuer of another/])
  const empty = join(newDirectory(t), 'secret')
  writeFileSync(empty, '\n')
  t.match(faultsOf(t, [{ ...google, clientSecretFile: empty }]), [/is empty/])
})

t.test('the settings that sign-in needs are named together', async (t) => {
  t.match(faultsOf(t, [google], { LOGIN_URL: '', SESSION_HOURS: '0' }), [/^LOGIN_URL: must be set/, /^SESSION_HOURS/])
  t.match(faultsOf(t, [google], { LOGIN_URL: 'https://erp.example/#/login' }), [/^LOGIN_URL: must have no fragment/])
  const production = {
    NODE_ENV: 'production',
    DATABASE_URL: 'postgresql://u:p@db/x',
    REDIS_URL: 'redis://redis',
    JWT_SECRET: 'mJ2x8Qv-7rTzLkP0aWbN5yDcHfGs31Ue'
  }
  t.match(faultsOf(t, [google], { ...production, PUBLIC_URL: '' }), [/^PUBLIC_URL: must be set with OIDC_FILE/])
  t.match(faultsOf(t, [google], { ...production, PUBLIC_URL: 'http://login.example' }), [/^PUBLIC_URL: must be of https/])
  t.same(faultsOf(t, [], { LOGIN_URL: '', SESSION_HOURS: '0' }), [], 'a file without providers needs nothing')
})
