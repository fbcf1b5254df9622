import { atom } from 'nanostores'
import { toast } from '../ui/toast.ts'
import { ApiError, type Reply, sendApiRequest } from './api.ts'

/** The signed-in account, as the API describes it. */
export type User = Reply<'GET /api/user'>

const SIGNED_IN_KEY = 'isLoggedIn'
const CACHED_USER_KEY = 'user'
/** localStorage key of the id of the account that signed in most recently; other tabs watch it. */
const LAST_USER_ID_KEY = 'who'
/** localStorage key that is set from a logout until the server has confirmed it. */
const PENDING_LOGOUT_KEY = 'logout'
/** localStorage key of the account whose videos are in a file on this device (`temporary-download-file.ts`). */
const DOWNLOAD_OWNER_KEY = 'downloaded'
/** The maximum age of a cached user that is shown until the server has answered. */
const CACHED_USER_MS = 60_000

/** The account that is signed in; `null` if nobody is, `undefined` while that is unknown. */
export const $user = atom<User | null | undefined>(undefined)

const withoutThrowing = <T>(act: () => T) => {
  try {
    return act()
  } catch {
    return undefined
  }
}
/** Whether this browser is signed in, according to localStorage. */
const hasSignedInFlag = () => withoutThrowing(() => localStorage.getItem(SIGNED_IN_KEY)) === 'true'
const lastSignedInId = () => withoutThrowing(() => localStorage.getItem(LAST_USER_ID_KEY))
const hasPendingLogout = () => withoutThrowing(() => localStorage.getItem(PENDING_LOGOUT_KEY))
/** The id of the signed-in account, as far as this browser knows; undefined if there is none. */
export const currentAccountId = () => $user.get()?.id ?? lastSignedInId() ?? undefined
/** Whether this browser was signed in when the page loaded, before the server answered. */
export const wasSignedInAtLoad = hasSignedInFlag()

/** Deletes the cookie `known`, which has outlived its session: with it, the next page would look signed in and request private data. */
function clearKnownCookie() {
  const known = location.protocol === 'https:' ? '__Host-known=; Secure' : 'known='
  // biome-ignore lint/suspicious/noDocumentCookie: not every supported browser has a cookie store
  withoutThrowing(() => (document.cookie = `${known}; Max-Age=0; Path=/`))
}

let userChanges = 0
/** Stores who is signed in now, in localStorage, in sessionStorage and in `$user`. */
export function setUser(user: User | null) {
  userChanges++
  withoutThrowing(() => {
    if (user) {
      localStorage.setItem(SIGNED_IN_KEY, 'true')
      localStorage.setItem(LAST_USER_ID_KEY, user.id)
      // A login also ends the old session on the server, so no logout is pending anymore.
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
  // The downloaded videos must not stay on this device once their owner's session has ended or somebody else has logged in.
  if (downloaded && downloaded !== user?.id) import('./temporary-download-file.ts').then(file => file.deleteDownloadFile()).catch(() => {})
}

let hasSentSignInForm = false
/** Whether a form on this page is sending a login or registration, or has succeeded with one. */
export const hasSentSignIn = () => hasSentSignInForm

/** Signs in the account that `send` (a login or registration) resolves to. Rejects with the error of `send`. */
export async function signInWithRequest<U extends User>(send: () => Promise<U>): Promise<U> {
  hasSentSignInForm = true
  try {
    const user = await send()
    setUser(user)
    return user
  } catch (error) {
    hasSentSignInForm = false
    throw error
  }
}

/** Ends the session on the server. Resolves to false if the server does not confirm that in time; the next page then tries again. */
async function endServerSession(): Promise<boolean> {
  withoutThrowing(() => localStorage.setItem(PENDING_LOGOUT_KEY, 'true'))
  try {
    await sendApiRequest('POST', '/api/logout', undefined, { signal: AbortSignal.timeout(3000) })
  } catch {
    return false
  }
  withoutThrowing(() => localStorage.removeItem(PENDING_LOGOUT_KEY))
  return true
}

let isLoggingOut = false
let userRequest: Promise<User | null> | undefined
/**
 * Asks the server who is signed in, once per page. Until the server answers, `$user` holds a cached user that is less than 60 s old, if
 * there is one. If the server has not confirmed an earlier logout, this sends that logout instead and resolves to null. Otherwise rejects
 * if the server does not answer, or answers with an error other than 401.
 */
export function loadSignedInUser(): Promise<User | null> {
  const cached = withoutThrowing(() => JSON.parse(sessionStorage.getItem(CACHED_USER_KEY) ?? 'null'))
  if (!userRequest && cached && Date.now() - cached.at < CACHED_USER_MS && hasSignedInFlag() && cached.user.id === lastSignedInId())
    $user.set(cached.user)
  const [changesBefore, idBefore] = [userChanges, lastSignedInId()]
  userRequest ??= (hasPendingLogout() ? endServerSession().then(() => null) : sendApiRequest('GET', '/api/user'))
    .catch(error => {
      if (error instanceof ApiError && error.status === 401) return null
      userRequest = undefined
      throw error
    })
    .then(user => {
      // A login or logout that happens during the request takes precedence, even one in another tab.
      if (userChanges !== changesBefore) return $user.get() ?? null
      if (!user && lastSignedInId() !== idBefore) {
        userRequest = undefined
        return loadSignedInUser()
      }
      const signedInUser = isLoggingOut ? null : (user as User | null)
      if (!signedInUser && !hasPendingLogout()) clearKnownCookie()
      setUser(signedInUser)
      return signedInUser
    })
  return userRequest
}

// The back button may restore a page of an account that has logged out since.
globalThis.addEventListener?.('pageshow', ({ persisted }) => {
  if (persisted && (isLoggingOut || ($user.get() && !hasSignedInFlag()))) location.reload()
  else if (persisted) reloadForOtherAccount(lastSignedInId())
})
// All tabs share their cookies: after somebody logs in with another account in one tab, this tab would act as that account while showing
// the old name.
globalThis.addEventListener?.('storage', ({ key, newValue }) => key === LAST_USER_ID_KEY && reloadForOtherAccount(newValue))

/** Reloads a page that shows an account other than `accountId`, and discards what was typed in it. */
function reloadForOtherAccount(accountId: string | null | undefined) {
  const shown = $user.get()
  if (!shown || !accountId || accountId === shown.id) return
  withoutThrowing(() => sessionStorage.clear())
  toast({ title: 'Logged in as someone else', description: 'Someone logged in with another account in this browser.', onward: true })
  location.reload()
}

/** The path of a role's dashboard; '/' if the role is unknown. */
export const dashboardPath = (role: string) => (role === 'player' || role === 'instructor' || role === 'admin' ? `/${role}/dashboard` : '/')

/** Signs out in this browser, whether or not the server answers, and opens /auth after 50 ms. */
export async function logout() {
  isLoggingOut = true
  const ended = await endServerSession()
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
