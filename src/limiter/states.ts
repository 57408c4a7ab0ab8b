import { action, note, ok } from '../base/finding.js'

/** What each state of a part of the limiter means, and what to do about it. */
export const limiterStates = {
  redis: {
    decides: ok('Redis is available, and decides takes'),
    'does not decide': action('Redis is unavailable, and LIMITER_ON_REDIS_FAILURE decides takes',
      'search the log for redis_unavailable, whose err says why; see "Redis" in docs/runbook.md'),
    'not used': note('without REDIS_URL, buckets are in the memory of the process')
  },
  replicas: {
    counted: ok('the last heartbeat counted the replicas'),
    'as last counted': note('the last heartbeat did not count the replicas: an outage of Redis divides limits by the ' +
      'last count', 'search the log for replicas_uncounted')
  },
  limits: {
    agree: ok('all replicas hold the same limits'),
    differ: action('replicas hold different limits, and each limits by its own',
      'finish the release, or give all replicas one LIMITS_FILE and the same MODULES, then SIGHUP or restart them')
  },
  canary: {
    passed: ok('the canary is limited as its policy says'),
    failed: action('the limiter does not limit as it should', 'see "The canary" in docs/runbook.md'),
    hangs: action('no run of the canary has ended for a minute: it hangs', 'see the log, then restart the replica'),
    'not ended yet': note('no run of the canary has ended yet')
  }
}
