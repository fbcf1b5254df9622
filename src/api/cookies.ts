import { KNOWN_DEVICE_DAYS } from '../../modules/accounts/policy.ts'
import { isHttps } from '../security-headers.ts'

/**
 * How long a browser keeps the cookies of a session: as long as browsers allow (RFC 6265bis). The session may end earlier. The server
 * sends the cookies only once, but each use extends the session in the database to `LOGIN_SESSION_DAYS` from then.
 */
const SESSION_COOKIE_DAYS = 400

/** Over HTTPS, the `__Host-` prefix keeps another subdomain or a plain-HTTP page from setting or replacing these cookies. */
const cookieName = (name: string, origin: string) => (isHttps(origin) ? `__Host-${name}` : name)
const cookiePatterns = (name: string) => ({
  plain: new RegExp(`(?:^|;\\s*)${name}=([\\w-]{43})(?:;|$)`),
  prefixed: new RegExp(`(?:^|;\\s*)__Host-${name}=([\\w-]{43})(?:;|$)`),
})
const [session, family, device] = [cookiePatterns('session'), cookiePatterns('family'), cookiePatterns('device')]

/** Creates a function that returns the token in a cookie, or undefined if there is none. */
const tokenIn = (patterns: typeof session) => (req: Request, origin: string) => {
  const cookies = req.headers.get('cookie')
  return cookies ? (isHttps(origin) ? patterns.prefixed : patterns.plain).exec(cookies)?.[1] : undefined
}
export const accountSessionTokenOf = tokenIn(session)
export const guardianSessionTokenOf = tokenIn(family)
/** The token that identifies a browser; it outlives the browser's login sessions. */
export const deviceTokenOf = tokenIn(device)

/** `Set-Cookie` for the cookie by which the server recognizes a browser that has signed in before. */
export const deviceCookie = (token: string, origin: string) =>
  `${cookieName('device', origin)}=${token}; HttpOnly; Path=/; SameSite=Lax; Max-Age=${KNOWN_DEVICE_DAYS * 24 * 3600}${isHttps(origin) ? '; Secure' : ''}`

/**
 * `Set-Cookie` with the position of the browser's last write, because a page navigation carries no `x-seen` header. It expires after ten
 * minutes, when the read models have normally caught up.
 */
export const minPositionCookie = (position: bigint, origin: string) =>
  `seen=${position}; HttpOnly; Path=/; SameSite=Lax; Max-Age=600${isHttps(origin) ? '; Secure' : ''}`

const cookiesOf = (secret: string, flag: string) => (token: string | null, origin: string) => {
  const life = `Path=/; SameSite=Lax; Max-Age=${token ? SESSION_COOKIE_DAYS * 24 * 3600 : 0}${isHttps(origin) ? '; Secure' : ''}`
  return [`${cookieName(secret, origin)}=${token ?? ''}; HttpOnly; ${life}`, `${cookieName(flag, origin)}=${token ? 1 : ''}; ${life}`]
}

/**
 * `Set-Cookie` headers that start a session, or end it if there is no token: the token itself, which scripts cannot read, and `known`,
 * which tells our pages that somebody is signed in. `Secure` if the site uses HTTPS.
 */
export const accountSessionCookies = cookiesOf('session', 'known')

/** The same for a guardian's session. It is independent of an account's session in the same browser. */
export const guardianSessionCookies = cookiesOf('family', 'parent')
