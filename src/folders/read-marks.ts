import { useMemo } from 'react'
import { usePreloadedPage } from '../page-load/preloaded-page.ts'
import { useHydrated } from '../ui/hydrated.ts'

/** How the feedback of an assignment is kept among what was read. */
export const feedbackMark = (assignment: string) => `feedback:${assignment}`

/** How it is kept that an assignment was declined here, in this tab or another. */
export const declinedMark = (assignment: string) => `declined:${assignment}`

/**
 * Assignments whose answer, or whose refusal, was seen on this device; and whose feedback was (`feedbackOf`). In a cookie of the reader's
 * own screens, so that a page that comes with what it shows agrees with it.
 */
export interface ReadMarks {
  includes(mark: string): boolean
}

const COOKIE = /(?:^|;\s*)read=([^;\s]+)/
/** The newest are kept: a cookie has room for so many. */
const MAX_MARKS = 200
const MARK_LENGTH = 9
/** What it is about, in one letter, and as much of the id as tells it from others. */
const shortMark = (mark: string) => (mark.includes(':') ? mark[0]! : 'a') + mark.slice(1 - MARK_LENGTH).padStart(MARK_LENGTH - 1, '-')

const marksIn = (kept: string) => kept.match(new RegExp(`.{${MARK_LENGTH}}`, 'g')) ?? []
const readMarksIn = (kept: string): ReadMarks => {
  const marks = new Set(marksIn(kept))
  return { includes: mark => marks.has(shortMark(mark)) }
}
const storedMarks = () => COOKIE.exec(document.cookie)?.[1] ?? ''

export const currentReadMarks = () => readMarksIn(storedMarks())

/** The same, on the server and for the first look too. */
export function useReadMarks(): ReadMarks {
  const page = usePreloadedPage()
  const now = useHydrated() ? storedMarks() : (page?.readMarks ?? '')
  return useMemo(() => readMarksIn(now), [now])
}

export function markAsRead(mark: string) {
  const marks = [...marksIn(storedMarks()).filter(known => known !== shortMark(mark)), shortMark(mark)].slice(-MAX_MARKS)
  const role = location.pathname.split('/')[1]
  // biome-ignore lint/suspicious/noDocumentCookie: not every browser of our people has a cookie store
  document.cookie = `read=${marks.join('')}; Path=/${role}; SameSite=Lax; Max-Age=34560000`
}
