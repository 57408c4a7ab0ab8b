// A module of the ERP, behind gatehouse: headers say who asks, and there is no code for tokens, limits or CORS.

import { STATUS_CODES } from 'node:http'
import fastify from 'fastify'
import pg from 'pg'

const { DATABASE_URL, HOST = '127.0.0.1', PORT = '8080' } = process.env

const app = fastify({
  logger: true,
  // Every line has it as reqId, so the lines of gatehouse and ours about one request are found together.
  requestIdHeader: 'x-request-id',
  bodyLimit: 16 * 1024,
  ajv: { customOptions: { coerceTypes: false, removeAdditional: false } }
})
const db = new pg.Pool({ connectionString: DATABASE_URL, connectionTimeoutMillis: 2000, query_timeout: 5000 })
db.on('error', error => app.log.warn(error, 'lost an idle connection to PostgreSQL'))

/** No control characters, and no space in front. */
const text = { type: 'string', maxLength: 200, pattern: '^[^\\p{Cc}\\s]\\P{Cc}*$' }
const admission = {
  type: 'object',
  required: ['name', 'dateOfBirth', 'programme'],
  additionalProperties: false,
  properties: {
    name: text,
    dateOfBirth: { type: 'string', format: 'date', formatMinimum: '1900-01-01' },
    programme: text
  }
}

app.setErrorHandler((error, request, reply) => {
  const { statusCode = 500, message } = error
  if (statusCode >= 500) request.log.error(error)
  sendError(request, reply, statusCode, statusCode >= 500 ? 'Something went wrong' : message)
})
app.setNotFoundHandler((request, reply) => sendError(request, reply, 404, 'There is nothing here'))
app.addHook('onClose', () => db.end())

// For whoever runs this. gatehouse passes on what begins with /api/student and nothing else.
app.get('/healthz', { logLevel: 'warn' }, async () => {
  await db.query('SELECT 1')
  return { ok: true }
})
app.register(students, { prefix: '/api/student' })

for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => app.close())
await createTable()
await app.listen({ host: HOST, port: Number(PORT) })

async function students (api) {
  api.decorateRequest('user', null)
  api.addHook('onRequest', identify)
  api.post('/admission', { schema: { body: admission } }, admit)
  // Any other id is a path that is not there.
  api.get('/:id(^[1-9]\\d{0,8}$)', show)
}

/** A request that did not come through gatehouse has no user, and neither has one of a module that is public. */
async function identify (request, reply) {
  const { 'x-user-id': id, 'x-user-role': role } = request.headers
  reply.header('Cache-Control', 'no-store')
  if (!id) return sendError(request, reply, 401, 'This service expects the X-User-… headers of gatehouse')
  request.user = { id: Number(id), role }
}

async function admit ({ body, user }, reply) {
  const { rows: [{ id }] } = await db.query(
    'INSERT INTO student.students (name, born_on, programme, admitted_by) VALUES ($1, $2, $3, $4) RETURNING id',
    [body.name, body.dateOfBirth, body.programme, user.id]
  )
  return reply.code(201).header('Location', `/api/student/${id}`).send({ success: true, status: 201, data: { id } })
}

/** Students are shown to those who admitted them, and to administrators. For all others they do not exist. */
async function show (request, reply) {
  const { params, user } = request
  const { rows: [student] } = await db.query(
    `SELECT id, name, born_on::text AS "dateOfBirth", programme, admitted_by AS "admittedBy"
      FROM student.students WHERE id = $1 AND (admitted_by = $2 OR $3)`,
    [Number(params.id), user.id, user.role === 'ADMIN']
  )
  if (!student) return sendError(request, reply, 404, 'No such student')
  return { success: true, status: 200, data: student }
}

/** The shape of gatehouse's own errors, so that a client needs to know only one. */
function sendError ({ url }, reply, status, message) {
  return reply.code(status).send({
    timestamp: new Date().toISOString(), status, error: STATUS_CODES[status], message, path: url.split('?')[0]
  })
}

/** In a schema of its own, so that the database may be shared. */
async function createTable () {
  await db.query(`
    CREATE SCHEMA IF NOT EXISTS student;
    CREATE TABLE IF NOT EXISTS student.students (
      id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      name text NOT NULL,
      born_on date NOT NULL,
      programme text NOT NULL,
      admitted_by integer NOT NULL,
      admitted_at timestamptz NOT NULL DEFAULT now()
    )`)
}
