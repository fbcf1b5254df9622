import { SESSION_DAYS } from '../../modules/accounts/policy.ts'
import { byHttps } from '../security.ts'

/** By https no neighbour (another subdomain, or plain http) can set or replace these: browsers take the prefix from us alone. */
const named = (name: string, origin: string) => (byHttps(origin) ? `__Host-${name}` : name)
const plain = /(?:^|;\s*)session=([\w-]{43})(?:;|$)/
const prefixed = /(?:^|;\s*)__Host-session=([\w-]{43})(?:;|$)/

/** Token in the session's cookie; undefined if there is none. */
export function tokenOf(req: Request, origin: string): string | undefined {
  const cookies = req.headers.get('cookie')
  if (!cookies) return undefined
  return (byHttps(origin) ? prefixed : plain).exec(cookies)?.[1]
}

/**
 * `Set-Cookie`s that start a session, or (without a token) end it: the token, which no script can read, and `known`, by which our
 * pages know that there is somebody to ask for. `Secure` where people reach us by https.
 */
export function sessionCookies(token: string | null, origin: string): string[] {
  const life = `Path=/; SameSite=Lax; Max-Age=${token ? SESSION_DAYS * 24 * 3600 : 0}${byHttps(origin) ? '; Secure' : ''}`
  return [`${named('session', origin)}=${token ?? ''}; HttpOnly; ${life}`, `${named('known', origin)}=${token ? 1 : ''}; ${life}`]
}
