import { passwordFault } from '../../../auth/password-policy.js'
import { asForeign, unwrapped, usableCostOf } from '../../../auth/stored-hash.js'
import type { Cells } from './cells.js'
import type { Field } from './fields.js'
import { isHash } from './hash-forms.js'

/** A failed login takes as long as the costliest hash, so one hash would slow down all of them. */
const MAX_COSTLIER = 2
const COSTS = '$2a$, $2b$, $2y$ or {bcrypt}'

interface Secret {
  password?: string
  passwordHash?: string
  passwordTemporary?: boolean
}

/** What the row says beside the password. */
interface Said {
  username: string
  passwordTemporary?: boolean
}

export function passwordIn (cells: Cells, { username, passwordTemporary }: Said): Secret {
  const [hash, password] = [cells.text('passwordHash'), cells.raw('password') || undefined]
  if (hash !== undefined && password !== undefined) {
    cells.faults.push('has both a password and a passwordHash')
    return {}
  }
  if (hash !== undefined) return hashIn(cells, 'passwordHash', unwrapped(hash))
  if (password === undefined) return {}
  // Other systems call the column of their hashes so.
  if (isHash(password)) return hashIn(cells, 'password', unwrapped(password))
  const fault = passwordFault(password, username)
  cells.must(fault === undefined, 'password', fault ?? '')
  return { password, passwordTemporary: passwordTemporary ?? !cells.context.keepPasswords }
}

function hashIn (cells: Cells, field: Field, hash: string): Secret {
  const { bcryptCost } = cells.context.config
  const cost = usableCostOf(hash)
  if (cost === undefined) {
    cells.must(false, field,
      `is a hash, but not bcrypt's (${COSTS}), or is damaged: leave it empty to import without one`)
  } else {
    cells.must(cost <= bcryptCost + MAX_COSTLIER, field,
      `has cost ${cost}, far above BCRYPT_COST (${bcryptCost}): every failed login would take as long`)
  }
  return { passwordHash: asForeign(hash) }
}
