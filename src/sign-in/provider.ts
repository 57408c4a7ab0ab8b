import { Type, type Static } from 'typebox'
import { ADMIN_ROLE, ROLE_OR_TYPE } from '../auth/rules.js'
import { isLoopback } from '../base/loopback.js'
import { Faults, readJson } from '../base/read-json.js'
import { schemaFaults, textThat } from '../base/schema-faults.js'

/*
 * What OIDC_FILE may say: `{"providers":[{"name":"google","label":"Google","issuer":"https://accounts.google.com",
 * "clientId":"…","clientSecretFile":"/run/secrets/google","domains":["school.example"]}]}`. Each part of the schema
 * says in `fault` what it expects. docs/sign-in.md explains the members.
 */

/** Its name is in the path of its operations, where `token` is another operation. */
const NAME = /^(?!token$)[a-z][a-z\d-]{0,31}$/
const DOMAIN = /^(?=.{1,253}$)[a-z\d]([a-z\d-]*[a-z\d])?(\.[a-z\d]([a-z\d-]*[a-z\d])?)+$/
/** Microsoft's issuers for everyone: anyone can make a tenant of their own there. */
const OF_EVERYONE = /^\/(common|organizations|consumers)(\/|$)/i

const flag = Type.Optional(Type.Boolean({ fault: 'must be true or false' }))
const line = (fault: string) => textThat(value => /^\P{Cc}{1,255}$/u.test(value), fault)

const ProviderSchema = Type.Object({
  name: textThat(value => NAME.test(value), 'must be a name such as google, of small letters, digits and -'),
  label: textThat(value => /^\P{Cc}{1,40}$/u.test(value), 'must be what pages call it, of at most 40 characters'),
  issuer: textThat(isIssuer, 'must be an issuer such as https://accounts.google.com, of https'),
  clientId: line('must be the id that the provider has given to gatehouse'),
  clientSecretFile: line('must be the path of a file with the secret that the provider has given to gatehouse'),
  domains: Type.Optional(Type.Array(textThat(value => DOMAIN.test(value), 'must be a domain such as school.example'), {
    uniqueItems: true, minItems: 1, fault: 'must be one or more domains, each once'
  })),
  domainFrom: Type.Optional(Type.Enum(['hd', 'email'], {
    fault: 'must be hd, the claim of Google, or email, for providers that vouch for every address'
  })),
  tenant: Type.Optional(textThat(
    value => /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(value),
    'must be the id of a tenant of Entra, in small letters'
  )),
  linkedOnly: flag,
  provision: flag,
  passwords: flag,
  roles: Type.Optional(Type.Object({
    claim: line('must be the name of a claim such as roles'),
    map: Type.Record(Type.String(), textThat(
      role => new RegExp(ROLE_OR_TYPE).test(role) && role !== ADMIN_ROLE,
      'must be a role such as TEACHER, and not ADMIN'
    ), { fault: 'must be an object such as {"teacher":"TEACHER"}' })
  }, { additionalProperties: false, fault: 'must have claim and map' }))
}, { additionalProperties: false, fault: 'must be an object' })

const FileSchema = Type.Object(
  { providers: Type.Array(ProviderSchema, { fault: 'must be a list' }) },
  { additionalProperties: false, fault: 'must be an object' }
)

type Given = Static<typeof ProviderSchema>

/** An OpenID provider that users sign in at. */
export interface Provider extends Omit<Given, 'clientSecretFile' | 'domains'> {
  clientSecret: string
  /** Whose accounts may sign in; empty with `tenant`, or if only linked ones may. */
  domains: readonly string[]
}

/**
 * @param readSecret reads the file of a secret; it throws an error that says why it cannot
 * @throws {Faults} with all of them
 */
export function parseProviders (json: string, readSecret: (file: string) => string): Provider[] {
  const { value, faults } = readJson(json)
  faults.push(...schemaFaults(FileSchema, value, 'the file'))
  if (faults.length > 0) throw new Faults(faults)
  const { providers } = value as Static<typeof FileSchema>
  const names = providers.map(({ name }) => name)
  const found = providers.map((given, i): Provider => {
    const { clientSecretFile, domains = [], ...rest } = given
    const more = [
      ...faultsOf(given), ...names.indexOf(given.name) < i ? ['has the name of another provider'] : [],
      ...providers.findIndex(({ issuer }) => issuer === given.issuer) < i ? ['has the issuer of another provider'] : []
    ]
    let clientSecret = ''
    try {
      clientSecret = readSecret(clientSecretFile).trim()
      if (clientSecret === '') more.push(`clientSecretFile: ${clientSecretFile} is empty`)
    } catch (error) {
      more.push(`clientSecretFile: ${clientSecretFile} ${(error as Error).message}`)
    }
    faults.push(...more.map(fault => `providers.${i}: ${fault}`))
    return { ...rest, domains, clientSecret }
  })
  if (faults.length > 0) throw new Faults(faults)
  return found
}

/** What a schema cannot say: how the members depend on each other. */
function faultsOf ({ issuer, domains, domainFrom, tenant, linkedOnly, provision }: Given): string[] {
  const faults = []
  if (OF_EVERYONE.test(new URL(issuer).pathname)) {
    faults.push('the issuer is for accounts of every tenant; name that of the school\'s tenant')
  }
  if ([domains, tenant, linkedOnly || undefined].filter(one => one !== undefined).length !== 1) {
    faults.push('must have one of domains, tenant, and "linkedOnly": true')
  }
  if (domainFrom && !domains) faults.push('domainFrom belongs to domains')
  if (linkedOnly && provision) faults.push('with linkedOnly nobody can be provisioned')
  return faults
}

/** It is compared literally with that of the provider, and TLS is all that proves whose answers they are. */
function isIssuer (text: string): boolean {
  if (!URL.canParse(text) || /[?#@\s]/.test(text)) return false
  const { protocol, hostname } = new URL(text)
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname))
}
