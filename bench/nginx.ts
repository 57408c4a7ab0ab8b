import { spawn, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Request } from 'autocannon'
import { end, newDirectory, type Lifetime } from '../test/fixtures/lifetime.js'
import { freePort } from '../test/fixtures/redis.js'
import { until } from '../test/fixtures/until.js'
import type { Contender } from './http.js'

/** The unit in which the kernel counts CPU time: USER_HZ, which is the same on every Linux. */
const TICK_US = 10_000

export const nginxOnPath = (): boolean => spawnSync('nginx', ['-v']).status === 0

/**
 * An nginx of one process with limit_req. It refuses no request, and writes a log.
 *
 * @param content directives of its location: what it answers
 * @param upstream where the name `module` leads
 */
export async function startNginx (
  t: Lifetime, requests: Request[], content: string, upstream = '127.0.0.1:1'
): Promise<Contender> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const directory = newDirectory(t, {
    'nginx.conf': `
daemon off;
master_process off;
pid nginx.pid;
error_log stderr crit;
events { worker_connections 1024; }
http {
  access_log /dev/null;
  upstream module { server ${upstream}; keepalive 256; keepalive_requests 1000000000; }
  limit_req_zone $http_x_forwarded_for zone=clients:10m rate=1000000r/s;
  server {
    listen 127.0.0.1:${port};
    keepalive_requests 1000000000;
    location / {
      limit_req zone=clients burst=1000000 nodelay;
      ${content}
    }
  }
}`
  })
  const nginx = spawn('nginx', ['-p', directory, '-e', 'error.log', '-c', join(directory, 'nginx.conf')], {
    stdio: ['ignore', 'ignore', 'inherit']
  })
  t.after(() => end(nginx, 'SIGTERM'))
  await until(async () => (await fetch(url)).ok)
  return {
    name: 'nginx with limit_req',
    requests,
    url,
    status: 200,
    samples: [],
    cpuUs: async () => cpuUsOf(nginx.pid!)
  }
}

/** User and system time: the 14th and 15th field of a line whose second one may have spaces. */
function cpuUsOf (pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/^.*\) /, '').split(' ')
  return (Number(fields[11]) + Number(fields[12])) * TICK_US
}
