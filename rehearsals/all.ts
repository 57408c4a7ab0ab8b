import { accounts } from './accounts.js'
import { backup } from './backup.js'
import { keys } from './keys.js'
import { limits } from './limits.js'
import { mails } from './mails.js'
import { postgres } from './postgres.js'
import { redis } from './redis.js'
import type { Rehearsal } from './rehearsal.js'
import { replicas } from './replicas.js'

/** Every rehearsal, by the sections of the page. The last one ends every session. */
export const rehearsals: Rehearsal[] =
  [...redis, ...limits, ...replicas, ...accounts, ...postgres, ...keys, ...mails, ...backup]
