import { ask } from './ask.js'
import { element, say, showEach } from './elements.js'
import { refillOf, tokensAt } from './refill.js'
import { limitText, nowMs, timeText } from './times.js'

// One client: its buckets, how they fill, and their reset.

/** A username may have failed at a hundred addresses. */
const MAX_REFRESHED = 20

const form = document.querySelector('#look-up')
const input = document.querySelector('#client')
const result = document.querySelector('#buckets')
const dialog = document.querySelector('#confirm')
const said = document.querySelector('#said')

const heading = element('h3', { tabindex: -1 })
const cards = element('div', { class: 'cards' })
const full = element('p', { class: 'note' })
const access = element('p', { class: 'note' })

let views = []
let shownClient
let lookUps = 0

form.addEventListener('submit', (event) => {
  event.preventDefault()
  lookUp(input.value.trim())
})

/** Shows a client, and goes on showing it, unless another one was asked for meanwhile. */
export async function lookUp (client) {
  input.value = client
  const own = ++lookUps
  try {
    const [found, itsAccess] = await Promise.all([
      ask(`/console/buckets/${encodeURIComponent(client)}`), accessOf(client)
    ])
    if (own !== lookUps) return
    views = found
    shownClient = client
    say(heading, `Buckets of ${client}`)
    say(access, itsAccess)
    result.replaceChildren(heading, access, cards, full)
    show()
    heading.focus()
  } catch (error) {
    if (own !== lookUps) return
    shownClient = undefined
    result.replaceChildren(element('p', { class: 'fault', role: 'alert' }, error.message))
  }
}

/** Most clients are no users. Buckets are shown while PostgreSQL is away, too. */
async function accessOf (client) {
  const user = await ask(`/console/users/${encodeURIComponent(client)}`).catch(() => undefined)
  if (!user) return ''
  const { signInIssuer, secondFactor } = user
  return [signInIssuer && `Signs in at ${signInIssuer}.`, secondFactor && factorText(secondFactor)]
    .filter(Boolean).join(' ')
}

function factorText ({ since, lastUsedAt, barred }) {
  const used = lastUsedAt ? `last used ${timeText(Date.parse(lastUsedAt))}` : 'never used'
  const said = { stolen: ', and the password counts as stolen', locked: ', and no code is accepted any more' }
  return `Second factor since ${timeText(Date.parse(since))}, ${used}${said[barred] ?? ''}.`
}

/** Asks again for what is shown. */
export async function refresh () {
  if (shownClient === undefined) return
  const client = shownClient
  const asked = views.slice(0, MAX_REFRESHED)
  const answers = await Promise.allSettled(asked.map(view => ask(pathOf(view))))
  if (client !== shownClient) return
  views = [...answers.map(({ value }, i) => value ?? asked[i]), ...views.slice(MAX_REFRESHED)]
  show()
}

/** Draws what is known, as it is by now. */
export function show () {
  if (shownClient === undefined) return
  const lacking = views.filter(view => tokensAt(view, nowMs()) < view.capacity)
  showEach(cards, lacking, pathOf, createCard)
  const others = views.filter(view => !lacking.includes(view))
  const names = others.map(({ policy, capacity }) => `${policy} (${capacity})`)
  say(full, names.length === 0 ? '' : `Full: ${names.join(', ')}.`)
}

const pathOf = ({ policy, client }) => `/console/buckets/${encodeURIComponent(policy)}/${encodeURIComponent(client)}`

function createCard (view) {
  let current = view
  const tokens = element('strong')
  const picture = element('div', { class: 'plot' })
  const next = element('dd')
  const fullAt = element('dd')
  const name = `Reset ${view.policy} of ${view.client}`
  const click = () => confirm(current)
  const button = element('button', { type: 'button', class: 'danger', 'aria-label': name, click }, 'Reset')
  const node = element('article', { class: 'card', 'data-policy': view.policy },
    element('h4', {}, view.policy),
    element('p', { class: 'figures' }, tokens, ` of ${view.capacity} tokens`),
    picture,
    element('dl', { class: 'moments' },
      element('div', {}, element('dt', {}, 'next token'), next),
      element('div', {}, element('dt', {}, 'full'), fullAt)),
    element('p', { class: 'row' }, element('span', { class: 'note' }, limitText(view)), button))
  if (view.client !== shownClient) node.firstChild.after(element('p', { class: 'note client' }, view.client))

  function update (view) {
    current = view
    const refill = refillOf(view)
    if (!refill) return
    say(tokens, refill.left)
    tokens.classList.toggle('refused', refill.left === 0)
    say(next, refill.words.next)
    say(fullAt, refill.words.full)
    picture.replaceChildren(refill.picture)
  }

  return { node, update }
}

function confirm ({ policy, client, capacity }) {
  say(dialog.querySelector('#confirm-text'),
    `${client} gets all ${capacity} tokens of ${policy} at once, on every replica. The audit log will say so.`)
  dialog.returnValue = 'cancel'
  dialog.addEventListener('close', () => {
    if (dialog.returnValue === 'reset') reset({ policy, client })
  }, { once: true })
  dialog.showModal()
}

async function reset (view) {
  try {
    const { policy, client, tokens } = await ask(pathOf(view), 'DELETE')
    say(said, `The ${policy} bucket of ${client} is full: ${tokens} tokens.`)
    heading.focus()
  } catch (error) {
    say(said, error.message)
  }
  await refresh()
}
