import { useMemo } from 'react'
import { useTold } from '../client/told.ts'
import { useHydrated } from '../ui/hydrated.ts'

/** How the feedback of an assignment is kept among what was read. */
export const feedbackOf = (assignment: string) => `feedback:${assignment}`

/** How it is kept that an assignment was declined here, in this tab or another. */
export const declinedOf = (assignment: string) => `declined:${assignment}`

/**
 * Assignments whose answer, or whose refusal, was seen on this device; and whose feedback was (`feedbackOf`). In a cookie of the reader's
 * own screens, so that a page that comes with what it shows agrees with it.
 */
export interface Read {
  includes(mark: string): boolean
}

const COOKIE = /(?:^|;\s*)read=([^;\s]+)/
/** The newest are kept: a cookie has room for so many. */
const MOST = 200
const WIDTH = 9
/** What it is about, in one letter, and as much of the id as tells it from others. */
const short = (mark: string) => (mark.includes(':') ? mark[0]! : 'a') + mark.slice(1 - WIDTH).padStart(WIDTH - 1, '-')

const marksIn = (kept: string) => kept.match(new RegExp(`.{${WIDTH}}`, 'g')) ?? []
const readIn = (kept: string): Read => {
  const marks = new Set(marksIn(kept))
  return { includes: mark => marks.has(short(mark)) }
}
const kept = () => COOKIE.exec(document.cookie)?.[1] ?? ''

export const alreadyRead = () => readIn(kept())

/** The same, on the server and for the first look too. */
export function useRead(): Read {
  const told = useTold()
  const now = useHydrated() ? kept() : (told?.read ?? '')
  return useMemo(() => readIn(now), [now])
}

export function markRead(mark: string) {
  const marks = [...marksIn(kept()).filter(known => known !== short(mark)), short(mark)].slice(-MOST)
  const role = location.pathname.split('/')[1]
  // biome-ignore lint/suspicious/noDocumentCookie: not every browser of our people has a cookie store
  document.cookie = `read=${marks.join('')}; Path=/${role}; SameSite=Lax; Max-Age=34560000`
}
