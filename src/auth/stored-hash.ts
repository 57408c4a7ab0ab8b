import bcrypt from 'bcrypt'

/* How bcrypt's hashes are written: ours, and those that other systems hand over. */

/**
 * bcrypt's own format, and as PHP (`$2y$`) and Spring (`{bcrypt}`) write it, for JavaScript and PostgreSQL. A higher
 * cost takes seconds: such a hash is damaged or an attack on our CPUs. The second group is the same for all writers.
 */
export const USABLE_HASH = '^([{]bcrypt[}])?[$]2[aby]([$](0[4-9]|1[0-6])[$][./A-Za-z0-9]{53})$'
const usableHash = new RegExp(USABLE_HASH)

/** What we write begins with `$2b$`. */
export const isForeign = (hash: string | null | undefined): boolean => !hash?.startsWith('$2b$')

/** @returns the hash that an import stores: others write `$2b$`, too, and it must not seem ours */
export const asForeign = (hash: string): string => hash.replace(/^\$2b\$/, () => '$2y$')

/** How LDAP, Dovecot, Spring, Django and Nextcloud write that a hash is bcrypt's. */
const WRAPPING = /^(?:\{(?:crypt|bcrypt|blf-crypt)\}|bcrypt[$:]|1\|)(?=\$2[aby]\$)/i

/** @returns the hash without the name of its algorithm, if that is bcrypt */
export const unwrapped = (hash: string): string => hash.replace(WRAPPING, '')

/** Whether two hashes are one, whoever wrote it. */
export const isSameHash = (one: string | null, other: string | null): boolean => one === other ||
  (one !== null && other !== null && asForeign(unwrapped(one)) === asForeign(unwrapped(other)))

/** Whether a password fits a stored hash. This takes the time of the hash, and tells it. */
export const fits = async (password: string, hash: string): Promise<boolean> =>
  await bcrypt.compare(password.normalize('NFC'), asOurs(hash) ?? '')

/** @returns the hash as our bcrypt writes it; undefined if it is not usable */
export function asOurs (hash: string | null | undefined): string | undefined {
  const rest = usableHash.exec(hash ?? '')?.[2]
  return rest && `$2b${rest}`
}

/** @param hash one that is ours */
export function costOf (hash: string): number {
  return Number(hash.slice(4, 6))
}

/** The cost of a stored hash; undefined if it is not usable. */
export function usableCostOf (hash: string): number | undefined {
  const ours = asOurs(hash)
  return ours === undefined ? undefined : costOf(ours)
}
