import { atom } from 'nanostores'
import { toast } from '../ui/toast.ts'
import { ApiError, type Reply, request } from './api.ts'

export type User = Reply<'GET /api/user'>

const SIGNED_IN_KEY = 'isLoggedIn'
const CACHED_USER_KEY = 'user'
/** The id of who was signed in last, for the other tabs. */
const LAST_USER_ID_KEY = 'who'
/** Kept while there is a logout that the server has not heard of. */
const PENDING_LOGOUT_KEY = 'logout'
/** The account whose videos lie in a file of this device (`download-file.ts`). */
const DOWNLOAD_OWNER_KEY = 'downloaded'
/** How long a known user is shown without asking first, in ms. */
const CACHED_USER_MS = 60_000

/** Who is signed in; `null` is nobody, `undefined` not known yet. */
export const $user = atom<User | null | undefined>(undefined)

const withoutThrowing = <T>(act: () => T) => {
  try {
    return act()
  } catch {
    return undefined
  }
}
/** The flag that says that this browser was signed in. */
const hasSignedInFlag = () => withoutThrowing(() => localStorage.getItem(SIGNED_IN_KEY)) === 'true'
const lastSignedInId = () => withoutThrowing(() => localStorage.getItem(LAST_USER_ID_KEY))
const hasPendingLogout = () => withoutThrowing(() => localStorage.getItem(PENDING_LOGOUT_KEY))
/** The id of who is signed in here, as far as this browser knows. */
export const currentAccountId = () => $user.get()?.id ?? lastSignedInId() ?? undefined
/** Whether the flag was there when the page was loaded, before anybody was asked. */
export const wasSignedInAtLoad = hasSignedInFlag()

/** The cookie that says that there is a session outlived it: the next page would ask in vain. */
function clearKnownCookie() {
  const known = location.protocol === 'https:' ? '__Host-known=; Secure' : 'known='
  // biome-ignore lint/suspicious/noDocumentCookie: not every browser of our people has a cookie store
  withoutThrowing(() => (document.cookie = `${known}; Max-Age=0; Path=/`))
}

let userChanges = 0
/** Takes in who is signed in now: the flag, the cache and `$user`. */
export function setUser(user: User | null) {
  userChanges++
  withoutThrowing(() => {
    if (user) {
      localStorage.setItem(SIGNED_IN_KEY, 'true')
      localStorage.setItem(LAST_USER_ID_KEY, user.id)
      // A login has ended the session before it.
      localStorage.removeItem(PENDING_LOGOUT_KEY)
      sessionStorage.setItem(CACHED_USER_KEY, JSON.stringify({ at: Date.now(), user }))
    } else {
      localStorage.removeItem(SIGNED_IN_KEY)
      localStorage.removeItem(LAST_USER_ID_KEY)
      sessionStorage.removeItem(CACHED_USER_KEY)
    }
  })
  $user.set(user)
  const downloaded = withoutThrowing(() => localStorage.getItem(DOWNLOAD_OWNER_KEY))
  // Their session ended elsewhere, or somebody else logged in: the copy of their videos is nobody's to find.
  if (downloaded && downloaded !== user?.id) import('./download-file.ts').then(file => file.deleteDownloadFile()).catch(() => {})
}

let signingIn = false
/** Whether a form of this page has asked to be let in, or was. */
export const isSigningIn = () => signingIn

/** Lets in whom `ask` answers, by a login or a registration. Rejects as `ask` does. */
export async function signIn<U extends User>(ask: () => Promise<U>): Promise<U> {
  signingIn = true
  try {
    const user = await ask()
    setUser(user)
    return user
  } catch (error) {
    signingIn = false
    throw error
  }
}

/** Ends the session on the server; false if it did not hear, which is noted. */
async function endOnServer(): Promise<boolean> {
  withoutThrowing(() => localStorage.setItem(PENDING_LOGOUT_KEY, 'true'))
  try {
    await request('POST', '/api/logout', undefined, { signal: AbortSignal.timeout(3000) })
  } catch {
    return false
  }
  withoutThrowing(() => localStorage.removeItem(PENDING_LOGOUT_KEY))
  return true
}

let isLoggingOut = false
let checking: Promise<User | null> | undefined
/**
 * Asks the server who is signed in, once a page; a user known for less than 60 s shows meanwhile. After a logout that it has not heard
 * it is told of that instead, and nobody is. Rejects when it cannot tell.
 */
export function checkSession(): Promise<User | null> {
  const cached = withoutThrowing(() => JSON.parse(sessionStorage.getItem(CACHED_USER_KEY) ?? 'null'))
  if (!checking && cached && Date.now() - cached.at < CACHED_USER_MS && hasSignedInFlag() && cached.user.id === lastSignedInId())
    $user.set(cached.user)
  const [before, whoBefore] = [userChanges, lastSignedInId()]
  checking ??= (hasPendingLogout() ? endOnServer().then(() => null) : request('GET', '/api/user'))
    .catch(error => {
      if (error instanceof ApiError && error.status === 401) return null
      checking = undefined
      throw error
    })
    .then(user => {
      // A login or a logout that came meanwhile has the last word, in another tab too.
      if (userChanges !== before) return $user.get() ?? null
      if (!user && lastSignedInId() !== whoBefore) {
        checking = undefined
        return checkSession()
      }
      const who = isLoggingOut ? null : (user as User | null)
      if (!who && !hasPendingLogout()) clearKnownCookie()
      setUser(who)
      return who
    })
  return checking
}

// The back button may bring a page as it was left by somebody who has logged out since.
globalThis.addEventListener?.('pageshow', ({ persisted }) => {
  if (persisted && (isLoggingOut || ($user.get() && !hasSignedInFlag()))) location.reload()
  else if (persisted) reloadForOtherAccount(lastSignedInId())
})
// Cookies are every tab's: after a login as somebody else in another, this one would act as them under the name that it shows.
globalThis.addEventListener?.('storage', ({ key, newValue }) => key === LAST_USER_ID_KEY && reloadForOtherAccount(newValue))

/** Leaves a page that was made for somebody other than `who` (an id), with whatever they had typed. */
function reloadForOtherAccount(who: string | null | undefined) {
  const shown = $user.get()
  if (!shown || !who || who === shown.id) return
  withoutThrowing(() => sessionStorage.clear())
  toast({ title: 'Signed in as someone else', description: 'Somebody logged in with another account in this browser.', onward: true })
  location.reload()
}

export const dashboardPath = (role: string) => (role === 'player' || role === 'instructor' || role === 'admin' ? `/${role}/dashboard` : '/')

/** Signs out here whatever the server says, and goes to /auth after 50 ms. */
export async function logout() {
  isLoggingOut = true
  const ended = await endOnServer()
  setUser(null)
  withoutThrowing(() => sessionStorage.clear())
  toast({
    title: 'Logged out',
    ...(ended
      ? { description: 'You have been successfully logged out.' }
      : { description: 'You have been logged out locally.', variant: 'destructive' }),
    onward: true,
  })
  setTimeout(() => location.assign('/auth'), 50)
}
