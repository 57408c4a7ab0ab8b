/**
 * Asks the service that serves this page.
 *
 * @throws with a sentence for the person who asked
 */
export async function ask (path, method = 'GET') {
  let reply
  try {
    reply = await fetch(path, { method })
  } catch {
    throw new Error('The service cannot be reached. Please try again.')
  }
  // The session is over: the form is at the same address.
  if (reply.status === 401) location.reload()
  const body = reply.status === 204 ? undefined : await reply.json()
  if (!reply.ok) throw new Error(body.message)
  return body
}
