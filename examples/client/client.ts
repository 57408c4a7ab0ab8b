import createClient from 'openapi-fetch'
import type { paths } from './gatehouse.js'

const { GATEHOUSE_URL: baseUrl = 'http://127.0.0.1:3000', USERNAME: username = 'demo', PASSWORD: password = 'gatehouse-demo' } = process.env
const gatehouse = createClient<paths>({ baseUrl })
const using = (token: string) => ({ headers: { Authorization: `Bearer ${token}` } })

const { data: login, error } = await gatehouse.POST('/api/auth/login', { body: { username, password } })
if (!login) throw new Error(error.message)
const { data: me } = await gatehouse.GET('/api/auth/me', using(login.data.token))
console.log(`${me?.data.userName} has the role ${me?.data.role}`)

// A token is valid for an hour, and its session for longer. Any valid token of the session gets a new one.
const { data: renewed, error: refusal } = await gatehouse.POST('/api/auth/refresh', using(login.data.token))
if (!renewed) throw new Error(refusal.message)
const { data: ended } = await gatehouse.POST('/api/auth/logout', using(renewed.data.token))
console.log(ended?.success ? 'logged out' : 'not logged out')
