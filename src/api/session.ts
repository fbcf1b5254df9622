import { SESSION_DAYS } from '../../modules/accounts/policy.ts'

/** Token in the `session` cookie; undefined if there is none. */
export function tokenOf(req: Request): string | undefined {
  const cookies = req.headers.get('cookie')
  if (!cookies) return undefined
  return /(?:^|;\s*)session=([\w-]{43})(?:;|$)/.exec(cookies)?.[1]
}

/** `Set-Cookie` that starts a session, or (without a token) ends it. `Secure` where people reach us by https. */
export const cookieOf = (token: string | null, origin: string) =>
  `session=${token ?? ''}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${token ? SESSION_DAYS * 24 * 3600 : 0}${origin.startsWith('https:') ? '; Secure' : ''}`
