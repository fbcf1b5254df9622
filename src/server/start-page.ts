import { BLOCKED_MESSAGE } from '../../modules/leads/policy.ts'
import type { Surroundings } from '../security.ts'
import { packPlain } from './static.ts'
import { fill, type Slots } from './template.ts'

/** The page of the way in without scripts, from its template: `search` names the step (`role`, `login`, else the address again) and the address. */
export const startPage = (template: string, around: Surroundings) => (search: string) => {
  const query = new URLSearchParams(search)
  const email = query.get('email')?.slice(0, 254) ?? ''
  return packPlain(fill(template, { email, ...step(query, email) }), around)
}

function step(query: URLSearchParams, email: string): Slots {
  const at = query.get('step')
  if (at === 'role') return { role: at }
  if (at === 'login' && email) return { login: at }
  const problem = query.get('why') === 'blocked' ? BLOCKED_MESSAGE : 'Please enter a valid email address'
  return { ask: 'email', problem: at ? problem : '' }
}
