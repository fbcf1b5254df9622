import { DEVICE_DAYS, SESSION_DAYS } from '../../modules/accounts/policy.ts'
import { isHttps } from '../security-headers.ts'

/** By https no neighbour (another subdomain, or plain http) can set or replace these: browsers take the prefix from us alone. */
const cookieName = (name: string, origin: string) => (isHttps(origin) ? `__Host-${name}` : name)
const cookiePatterns = (name: string) => ({
  plain: new RegExp(`(?:^|;\\s*)${name}=([\\w-]{43})(?:;|$)`),
  prefixed: new RegExp(`(?:^|;\\s*)__Host-${name}=([\\w-]{43})(?:;|$)`),
})
const [session, family, device] = [cookiePatterns('session'), cookiePatterns('family'), cookiePatterns('device')]

/** A token in a cookie; undefined if there is none. */
const tokenIn = (its: typeof session) => (req: Request, origin: string) => {
  const cookies = req.headers.get('cookie')
  return cookies ? (isHttps(origin) ? its.prefixed : its.plain).exec(cookies)?.[1] : undefined
}
/** Of an account's session. */
export const sessionTokenOf = tokenIn(session)
/** Of a guardian's session. */
export const familyTokenOf = tokenIn(family)
/** Of the browser, which stays when a session ends. */
export const deviceTokenOf = tokenIn(device)

/** `Set-Cookie` by which a browser that somebody signed in from is known again. */
export const deviceCookie = (token: string, origin: string) =>
  `${cookieName('device', origin)}=${token}; HttpOnly; Path=/; SameSite=Lax; Max-Age=${DEVICE_DAYS * 24 * 3600}${isHttps(origin) ? '; Secure' : ''}`

/**
 * `Set-Cookie` by which the next page knows what its browser has written: a page that is asked for carries no `x-seen`. For so long as a read
 * model could be behind at all.
 */
export const minPositionCookie = (position: bigint, origin: string) =>
  `seen=${position}; HttpOnly; Path=/; SameSite=Lax; Max-Age=600${isHttps(origin) ? '; Secure' : ''}`

const cookiesOf = (secret: string, flag: string) => (token: string | null, origin: string) => {
  const life = `Path=/; SameSite=Lax; Max-Age=${token ? SESSION_DAYS * 24 * 3600 : 0}${isHttps(origin) ? '; Secure' : ''}`
  return [`${cookieName(secret, origin)}=${token ?? ''}; HttpOnly; ${life}`, `${cookieName(flag, origin)}=${token ? 1 : ''}; ${life}`]
}

/**
 * `Set-Cookie`s that start a session, or (without a token) end it: the token, which no script can read, and `known`, by which our
 * pages know that there is somebody to ask for. `Secure` where people reach us by https.
 */
export const sessionCookies = cookiesOf('session', 'known')

/** The same for a guardian's session, which an account's of the same browser does not touch. */
export const familyCookies = cookiesOf('family', 'parent')
