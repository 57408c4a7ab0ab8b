import type { Passwords } from './passwords.js'
import type { Database } from '../database/database.js'

/** Their passwords are in the README. */
export const demoAccounts = [
  { username: 'demo', email: 'demo@school.example', password: 'gatehouse-demo', userType: 'STUDENT', role: 'USER' },
  { username: 'admin', email: 'admin@school.example', password: 'gatehouse-admin', userType: 'EMPLOYEE', role: 'ADMIN' }
]

/** Fills an embedded database that has no users, so that a newcomer can log in. @returns what was created */
export async function createDemoAccounts ({ prisma }: Database, passwords: Passwords): Promise<typeof demoAccounts> {
  if (await prisma.user.count() > 0) return []
  await prisma.user.createMany({
    data: await Promise.all(demoAccounts.map(async ({ password, ...account }) => ({
      ...account,
      passwordHash: await passwords.hash(password)
    })))
  })
  return demoAccounts
}
