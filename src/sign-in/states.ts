import { action, ok } from '../base/finding.js'

/** What each state of the sign-in means, and what to do about it. */
export const signInStates = {
  'not used': ok('OIDC_FILE names no provider'),
  'no provider fails': ok('no OpenID provider fails'),
  'a provider fails': action('an OpenID provider fails: nobody can sign in there',
    'see "Nobody can sign in at a provider" in docs/runbook.md')
}
