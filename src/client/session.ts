import { atom } from 'nanostores'
import { toast } from '../ui/toast.ts'
import { ApiError, type Reply, request } from './api.ts'

export type User = Reply<'GET /api/user'>

const FLAG = 'isLoggedIn'
const CACHED = 'user'
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
/** Whether the flag was there when the page was loaded, before anybody was asked. */
export const wasFlagged = flagged()

/** Takes in who is signed in now: the flag, the cache and `$user`. */
export function setUser(user: User | null) {
  quietly(() => {
    if (user) {
      localStorage.setItem(FLAG, 'true')
      sessionStorage.setItem(CACHED, JSON.stringify({ at: Date.now(), user }))
    } else {
      localStorage.removeItem(FLAG)
      sessionStorage.removeItem(CACHED)
    }
  })
  $user.set(user)
}

let checking: Promise<User | null> | undefined
/** Asks the server who is signed in, once a page; a user known for less than 60 s shows meanwhile. Rejects when it cannot tell. */
export function checkSession(): Promise<User | null> {
  const cached = quietly(() => JSON.parse(sessionStorage.getItem(CACHED) ?? 'null'))
  if (!checking && cached && Date.now() - cached.at < FRESH && flagged()) $user.set(cached.user)
  checking ??= request('GET', '/api/user')
    .catch(error => {
      if (error instanceof ApiError && error.status === 401) return null
      checking = undefined
      throw error
    })
    .then(user => {
      setUser(user as User | null)
      return user as User | null
    })
  return checking
}

// The back button may bring a page as it was left by somebody who has logged out since.
globalThis.addEventListener?.('pageshow', ({ persisted }) => {
  if (persisted && $user.get() && !flagged()) location.reload()
})

export const dashboardOf = (role: string) => (role === 'player' || role === 'instructor' || role === 'admin' ? `/${role}/dashboard` : '/')

/** Signs out here whatever the server says, and goes to /auth after 50 ms. */
export async function logout() {
  const ended = await request('POST', '/api/logout', {}, { signal: AbortSignal.timeout(3000) }).then(
    () => true,
    () => false,
  )
  setUser(null)
  quietly(() => sessionStorage.clear())
  toast(
    ended
      ? { title: 'Logged out', description: 'You have been successfully logged out.' }
      : { title: 'Logged out', description: 'You have been logged out locally.', variant: 'destructive' },
  )
  setTimeout(() => location.assign('/auth'), 50)
}
