import { ask } from './ask.js'
import { showDecisions } from './decisions.js'
import { element, say, showEach } from './elements.js'
import { lookUp, refresh, show as showBuckets } from './lookup.js'
import { historyTable, limitsTable, refusedTable, replicasTable } from './tables.js'
import { setClock } from './times.js'

const REFRESH_MS = 2000

const find = id => document.getElementById(id)
const connection = find('connection')
const charts = { cards: find('decisions'), idle: find('idle') }
const showLimits = limitsTable(find('limits'))
const showHistory = historyTable(find('history'))
const showRefused = refusedTable(find('refused'), lookUp)
const showReplicas = replicasTable(find('replicas'))

// Who came with the token in a header has no session to end.
ask('/console/session').then((session) => { find('sign-out').hidden = session === undefined }, () => {})
find('sign-out').addEventListener('click', async () => {
  try {
    await ask('/console/session', 'DELETE')
    location.reload()
  } catch ({ message }) {
    say(find('said'), message)
  }
})

// The address in the log ends with the token.
if (location.hash !== '') history.replaceState(null, '', '/console')

listen()
setInterval(showBuckets, 1000)
setInterval(() => { if (!document.hidden) refresh() }, REFRESH_MS)

/** The browser connects again by itself, unless it was refused. */
function listen () {
  const events = new EventSource('/console/events')
  events.addEventListener('message', ({ data }) => {
    showConnection('live', 'live')
    showNow(JSON.parse(data))
  })
  events.addEventListener('error', () => {
    showConnection('lost', 'connection lost')
    if (events.readyState !== EventSource.CLOSED) return
    checkSession()
    setTimeout(listen, REFRESH_MS)
  })
}

function showConnection (state, text) {
  connection.dataset.state = state
  say(connection, text)
}

/** A session that is over shows the form again. */
async function checkSession () {
  const reply = await fetch('/console/session').catch(() => undefined)
  if (reply?.status === 401) location.reload()
}

function showNow (now) {
  setClock(now.at)
  const here = now.replicas.find(({ name }) => name === now.here)
  say(find('replica'), `as ${here.name} sees it · version ${here.version}`)
  showState(now)
  showDecisions(charts, Date.parse(now.at), now.replicas, now.limits)
  showLimits(now.limits)
  showHistory(now.history)
  showReplicas(now.replicas)
  showRefused(now.refused)
  announce(now.refused)
}

/** Who was refused at the last event. */
let known = new Set()

/** Reads aloud who begins to be refused: the first of them, and how many more. */
function announce (refused) {
  const fresh = refused.filter(({ policy, client }) => !known.has(`${policy} ${client}`))
  known = new Set(refused.map(({ policy, client }) => `${policy} ${client}`))
  if (fresh.length === 0) return
  const [{ policy, client }] = fresh
  say(find('heard'), `${policy} refuses ${client}${fresh.length > 1 ? ` and ${fresh.length - 1} more` : ''}.`)
}

/** Each tile is a word, and a colour that says the same. */
function showState ({ health, replicaCount, replicas, limitsVersion }) {
  const { status, draining, database, redis } = health
  const versions = new Set(replicas.map(({ version }) => version))
  const differ = replicas.some(({ states }) => states?.limits.value === 'differ')
  const failed = replicas.filter(({ states }) => ['failed', 'hangs'].includes(states?.canary.value))
  const tiles = [
    { name: 'Service', value: draining ? 'draining' : status, good: status === 'ready' },
    { name: 'Redis', value: redis, good: redis === 'decides' || redis === 'not used' },
    { name: 'PostgreSQL', value: database, good: database === 'reachable' },
    { name: 'Replicas', value: `${replicaCount}${versions.size > 1 ? `, ${versions.size} versions` : ''}`, good: true },
    {
      name: 'Limits',
      value: differ ? 'differ' : `agree, version\u00a0${limitsVersion}`,
      good: !differ
    },
    { name: 'Canary', value: failed.length > 0 ? `fails on ${failed[0].name}` : 'ok', good: failed.length === 0 }
  ]
  showEach(find('state'), tiles, ({ name }) => name, createTile)
}

function createTile ({ name }) {
  const value = element('dd')
  const node = element('div', { class: 'tile' }, element('dt', {}, name), value)
  return {
    node,
    update (tile) {
      node.dataset.good = tile.good
      say(value, tile.value)
    }
  }
}
