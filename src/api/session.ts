import type { Role } from '../../modules/endpoint.ts'

/** Who asks: the session and its user. */
export interface SignedIn {
  id: string
  role: Role
  /** Id of the session (not its token). */
  session: string
}

/** Token in the `session` cookie; undefined if there is none. */
export function tokenOf(req: Request): string | undefined {
  const cookies = req.headers.get('cookie')
  if (!cookies) return undefined
  return /(?:^|;\s*)session=([\w-]{43})(?:;|$)/.exec(cookies)?.[1]
}

const THIRTY_DAYS = 30 * 24 * 3600

/** `Set-Cookie` that starts a session, or (without a token) ends it. `Secure` where people reach us by https. */
export const cookieOf = (token: string | null, origin: string) =>
  `session=${token ?? ''}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${token ? THIRTY_DAYS : 0}${origin.startsWith('https:') ? '; Secure' : ''}`
