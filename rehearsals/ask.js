// Stands on PATH for a program that the fleet plays itself: hands its arguments over, and prints the answer.

const [socketPath, ...args] = process.argv.slice(2)
const { request } = await import('node:http')

request({ socketPath, method: 'POST' }, (response) => {
  process.exitCode = response.statusCode === 200 ? 0 : 1
  response.pipe(process.exitCode === 0 ? process.stdout : process.stderr)
}).end(JSON.stringify(args))
