import createClient from 'openapi-fetch'
import type { paths } from './gatehouse.js'

const { GATEHOUSE_URL: baseUrl = 'http://127.0.0.1:3000', USERNAME: username = 'demo', PASSWORD: password = 'gatehouse-demo' } = process.env
const gatehouse = createClient<paths>({ baseUrl })

const { data: login, error } = await gatehouse.POST('/api/auth/login', { body: { username, password } })
if (!login) throw new Error(error.message)
const { data: me } = await gatehouse.GET('/api/auth/me', { headers: { Authorization: `Bearer ${login.data.token}` } })
console.log(`${me?.data.userName} has the role ${me?.data.role}`)
