import { atom } from 'nanostores'
import { toast } from '../ui/toast.ts'
import { ApiError, type Reply, request } from './api.ts'

export type User = Reply<'GET /api/user'>

const FLAG = 'isLoggedIn'
const CACHED = 'user'
/** The id of who was signed in last, for the other tabs. */
const WHO = 'who'
/** Kept while there is a logout that the server has not heard of. */
const UNHEARD = 'logout'
/** The account whose videos lie in a file of this device (`download-file.ts`). */
const DOWNLOADED = 'downloaded'
/** How long a known user is shown without asking first, in ms. */
const FRESH = 60_000

/** Who is signed in; `null` is nobody, `undefined` not known yet. */
export const $user = atom<User | null | undefined>(undefined)

const quietly = <T>(act: () => T) => {
  try {
    return act()
  } catch {
    return undefined
  }
}
/** The flag that says that this browser was signed in. */
const flagged = () => quietly(() => localStorage.getItem(FLAG)) === 'true'
const elsewhere = () => quietly(() => localStorage.getItem(WHO))
const unheard = () => quietly(() => localStorage.getItem(UNHEARD))
/** The id of who is signed in here, as far as this browser knows. */
export const accountHere = () => $user.get()?.id ?? elsewhere() ?? undefined
/** Whether the flag was there when the page was loaded, before anybody was asked. */
export const wasFlagged = flagged()

/** The cookie that says that there is a session outlived it: the next page would ask in vain. */
function forgetHint() {
  const known = location.protocol === 'https:' ? '__Host-known=; Secure' : 'known='
  // biome-ignore lint/suspicious/noDocumentCookie: not every browser of our people has a cookie store
  quietly(() => (document.cookie = `${known}; Max-Age=0; Path=/`))
}

let told = 0
/** Takes in who is signed in now: the flag, the cache and `$user`. */
export function setUser(user: User | null) {
  told++
  quietly(() => {
    if (user) {
      localStorage.setItem(FLAG, 'true')
      localStorage.setItem(WHO, user.id)
      // A login has ended the session before it.
      localStorage.removeItem(UNHEARD)
      sessionStorage.setItem(CACHED, JSON.stringify({ at: Date.now(), user }))
    } else {
      localStorage.removeItem(FLAG)
      localStorage.removeItem(WHO)
      sessionStorage.removeItem(CACHED)
    }
  })
  $user.set(user)
  const downloaded = quietly(() => localStorage.getItem(DOWNLOADED))
  // Their session ended elsewhere, or somebody else logged in: the copy of their videos is nobody's to find.
  if (downloaded && downloaded !== user?.id) import('./download-file.ts').then(file => file.deleteDownload()).catch(() => {})
}

let entered = false
/** Whether a form of this page has asked to be let in, or was. */
export const hasEntered = () => entered

/** Lets in whom `ask` answers, by a login or a registration. Rejects as `ask` does. */
export async function enter<U extends User>(ask: () => Promise<U>): Promise<U> {
  entered = true
  try {
    const user = await ask()
    setUser(user)
    return user
  } catch (error) {
    entered = false
    throw error
  }
}

/** Ends the session on the server; false if it did not hear, which is noted. */
async function end(): Promise<boolean> {
  quietly(() => localStorage.setItem(UNHEARD, 'true'))
  try {
    await request('POST', '/api/logout', undefined, { signal: AbortSignal.timeout(3000) })
  } catch {
    return false
  }
  quietly(() => localStorage.removeItem(UNHEARD))
  return true
}

let leaving = false
let checking: Promise<User | null> | undefined
/**
 * Asks the server who is signed in, once a page; a user known for less than 60 s shows meanwhile. After a logout that it has not heard
 * it is told of that instead, and nobody is. Rejects when it cannot tell.
 */
export function checkSession(): Promise<User | null> {
  const cached = quietly(() => JSON.parse(sessionStorage.getItem(CACHED) ?? 'null'))
  if (!checking && cached && Date.now() - cached.at < FRESH && flagged() && cached.user.id === elsewhere()) $user.set(cached.user)
  const [before, whoBefore] = [told, elsewhere()]
  checking ??= (unheard() ? end().then(() => null) : request('GET', '/api/user'))
    .catch(error => {
      if (error instanceof ApiError && error.status === 401) return null
      checking = undefined
      throw error
    })
    .then(user => {
      // A login or a logout that came meanwhile has the last word, in another tab too.
      if (told !== before) return $user.get() ?? null
      if (!user && elsewhere() !== whoBefore) {
        checking = undefined
        return checkSession()
      }
      const who = leaving ? null : (user as User | null)
      if (!who && !unheard()) forgetHint()
      setUser(who)
      return who
    })
  return checking
}

// The back button may bring a page as it was left by somebody who has logged out since.
globalThis.addEventListener?.('pageshow', ({ persisted }) => {
  if (persisted && (leaving || ($user.get() && !flagged()))) location.reload()
  else if (persisted) giveWay(elsewhere())
})
// Cookies are every tab's: after a login as somebody else in another, this one would act as them under the name that it shows.
globalThis.addEventListener?.('storage', ({ key, newValue }) => key === WHO && giveWay(newValue))

/** Leaves a page that was made for somebody other than `who` (an id), with whatever they had typed. */
function giveWay(who: string | null | undefined) {
  const shown = $user.get()
  if (!shown || !who || who === shown.id) return
  quietly(() => sessionStorage.clear())
  toast({ title: 'Signed in as someone else', description: 'Somebody logged in with another account in this browser.', onward: true })
  location.reload()
}

export const dashboardOf = (role: string) => (role === 'player' || role === 'instructor' || role === 'admin' ? `/${role}/dashboard` : '/')

/** Signs out here whatever the server says, and goes to /auth after 50 ms. */
export async function logout() {
  leaving = true
  const ended = await end()
  setUser(null)
  quietly(() => sessionStorage.clear())
  toast({
    title: 'Logged out',
    ...(ended
      ? { description: 'You have been successfully logged out.' }
      : { description: 'You have been logged out locally.', variant: 'destructive' }),
    onward: true,
  })
  setTimeout(() => location.assign('/auth'), 50)
}
