import { plain, type Field } from './fields.js'

/** A file as a tool writes it. */
export interface Format {
  name: string
  /** Its columns. A file that has all of them is this one. */
  has: string[]
  /** What its columns are, beside those that are called like a field. Without a field they mean nothing. */
  fields?: Record<string, Field[]>
  /** The column that people log in with, where none is the username. */
  login?: string
  /** What its values mean, as with --value. */
  values?: string[]
  /** A roster: everyone has a role. Without one, a teacher would become what new accounts are. */
  needsRole?: boolean
}

/** The column of the roles that another file of a bundle has. */
export const ROLES = 'roles.csv'

/** Rosters know one role. Answers have two: the role, and the type of user. */
const role: Format['fields'] = { role: ['role', 'userType'], [ROLES]: ['role', 'userType'] }

/** The first one that fits counts. */
const formats: Format[] = [
  {
    name: 'OneRoster',
    has: ['sourcedId', 'enabledUser'],
    fields: { enabledUser: ['enabled'], ...role },
    needsRole: true
  },
  { name: 'SDS 2.1', has: ['sourcedId', 'username', ROLES], fields: role, needsRole: true },
  // Its users alone.
  { name: 'SDS 2.1', has: ['sourcedId', 'username', 'activeDirectoryMatchId'], fields: role, needsRole: true },
  { name: 'SDS 2', has: ['sourcedId', 'username', 'orgSourcedIds'], fields: role, needsRole: true },
  {
    name: 'SDS 1',
    has: ['SIS ID', 'School SIS ID', 'Username'],
    fields: { 'SIS ID': ['sourcedId'], 'Secondary Email': ['email'], ...role },
    needsRole: true
  },
  {
    name: 'Entra\'s list of users',
    has: ['userPrincipalName', 'accountEnabled'],
    fields: {
      userPrincipalName: ['username'],
      mail: ['email'],
      id: ['sourcedId'],
      objectId: ['sourcedId'],
      accountEnabled: ['enabled'],
      // Member or Guest.
      userType: []
    }
  },
  {
    name: 'Entra\'s list for bulk creation',
    has: ['User name [userPrincipalName] Required'],
    fields: {
      'User name [userPrincipalName] Required': ['username'],
      'Initial password [passwordProfile] Required': ['password'],
      // Despite its name.
      'Block sign in (Yes/No) [accountEnabled] Required': ['disabled']
    }
  },
  {
    name: 'Google\'s list of users',
    has: ['Email Address [Required]', 'Org Unit Path [Required]'],
    fields: {
      'Email Address [Required]': ['username', 'email'],
      'Password [Required]': ['password'],
      'Status [READ ONLY]': ['status']
    },
    values: ['password:****=']
  },
  {
    name: 'Auth0',
    has: ['user_id', 'email_verified'],
    fields: { user_id: ['sourcedId'], blocked: ['disabled'] },
    login: 'email'
  },
  { name: 'mongoexport', has: ['_id'], fields: { _id: ['sourcedId'] }, login: 'email' },
  {
    name: 'Moodle',
    has: ['username', 'firstname', 'lastname', 'idnumber'],
    fields: { suspended: ['disabled'], idnumber: ['sourcedId'] }
  }
]

const plainCsv: Format = { name: 'CSV', has: [] }
const jsonLines: Format = { name: 'JSON lines', has: [] }

export function formatOf (columns: readonly string[], isJson: boolean): Format {
  const names = new Set(columns.flatMap(column => [column, plain(column)]))
  // `_id` is not the column id of others.
  const has = (name: string): boolean => names.has(name.startsWith('_') ? name : plain(name))
  return formats.find(format => format.has.every(has)) ?? (isJson ? jsonLines : plainCsv)
}
