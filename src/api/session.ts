import { SESSION_DAYS } from '../../modules/accounts/policy.ts'
import { byHttps } from '../server/security.ts'

/** By https no neighbour (another subdomain, or plain http) can set or replace the session: browsers take this prefix from us alone. */
const sessionName = (origin: string) => (byHttps(origin) ? '__Host-session' : 'session')
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
  return [`${sessionName(origin)}=${token ?? ''}; HttpOnly; ${life}`, `known=${token ? 1 : ''}; ${life}`]
}
