import { useMemo } from 'react'
import { usePreloadedPageData } from '../page-load/preloaded-page-data-context.ts'
import { useHydrated } from '../ui/use-hydrated.ts'

/** The mark for "this assignment's feedback was read". */
export const feedbackReadMark = (assignment: string) => `feedback:${assignment}`

/** The mark for "this assignment's review was watched to its end". */
export const reviewWatchedMark = (assignment: string) => `watched:${assignment}`

/** The mark for "the instructor who uses this browser has declined this assignment, perhaps in another tab". */
export const instructorDeclinedOnThisDeviceMark = (assignment: string) => `declined:${assignment}`

/**
 * What was read on this device. An assignment's id alone marks the answer to its question, or the instructor's decline, as read;
 * `feedbackReadMark` marks its feedback. The marks are in a cookie, so that the server can render the same page as the browser.
 */
export interface ReadMarks {
  includes(mark: string): boolean
}

const COOKIE = /(?:^|;\s*)read=([^;\s]+)/
/** A cookie can hold about 4 KB, so only the newest marks are stored. */
const MAX_MARKS = 200
const MARK_LENGTH = 9
/** One letter for the kind of mark, followed by the end of the id, which is long enough to be unique. */
const shortMark = (mark: string) => (mark.includes(':') ? mark[0]! : 'a') + mark.slice(1 - MARK_LENGTH).padStart(MARK_LENGTH - 1, '-')

const marksIn = (kept: string) => kept.match(new RegExp(`.{${MARK_LENGTH}}`, 'g')) ?? []
const readMarksIn = (kept: string): ReadMarks => {
  const marks = new Set(marksIn(kept))
  return { includes: mark => marks.has(shortMark(mark)) }
}
const storedMarks = () => COOKIE.exec(document.cookie)?.[1] ?? ''

export const currentReadMarks = () => readMarksIn(storedMarks())

/** The marks as React state: those of the request's cookie on the server and during hydration, then those of the browser's cookie. */
export function useReadMarks(): ReadMarks {
  const page = usePreloadedPageData()
  const now = useHydrated() ? storedMarks() : (page?.readMarks ?? '')
  return useMemo(() => readMarksIn(now), [now])
}

export function markAsRead(mark: string) {
  const marks = [...marksIn(storedMarks()).filter(known => known !== shortMark(mark)), shortMark(mark)].slice(-MAX_MARKS)
  const role = location.pathname.split('/')[1]
  // biome-ignore lint/suspicious/noDocumentCookie: not every supported browser has a cookie store
  document.cookie = `read=${marks.join('')}; Path=/${role}; SameSite=Lax; Max-Age=34560000`
}
