import { phoneOf, secretIn, type Phone } from '../test/fixtures/phone.js'
import type { Fleet } from './fleet.js'

/** Gives somebody a second factor, by a link that an operator prints. */
export async function enrolBy (fleet: Fleet, username: string): Promise<Phone> {
  const [link = ''] = /^http\S+/.exec(await fleet.shell(`gatehouse users second-factor ${username} --link`)) ?? []
  const phone = phoneOf(secretIn(await (await fetch(link)).text()))
  const { origin, pathname, searchParams } = new URL(link)
  const reply = await fetch(origin + pathname, {
    method: 'POST', body: new URLSearchParams({ token: searchParams.get('token')!, code: phone.code() })
  })
  if (!reply.ok) throw new Error(`the second factor of ${username} was not set up: ${reply.status}`)
  await fleet.sql('UPDATE second_factors SET last_step = 0')
  return phone
}
