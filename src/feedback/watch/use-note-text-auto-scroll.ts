import { type RefObject, useEffect } from 'react'
import { locateSegment } from './playback-transitions.ts'
import type { ReviewPlayback } from './review-playback.ts'

/** Events that stop the automatic scrolling: the viewer scrolls, or moves the focus to a link in the text. */
const STOPPING_EVENTS = ['wheel', 'touchmove', 'pointerdown', 'keydown', 'focusin'] as const

/**
 * The `scrollTop` of a note's box when `part` (0 to 1) of the note's playing time has passed; all lengths are in pixels.
 * @param height the height of the box
 * @param textHeight the height of its whole text
 * @param overlap how much of a page the next page repeats, so that a line cut off at the bottom is whole at the top
 */
export function pagedScrollTopAt(part: number, height: number, textHeight: number, overlap: number): number {
  const step = Math.max(1, height - overlap)
  const pages = 1 + Math.ceil(Math.max(0, textHeight - height) / step)
  return Math.min(pages - 1, Math.floor((part * textHeight) / step)) * step
}

/**
 * While a note's part of the review plays, scrolls the note's box page by page if its text does not fit. Once the viewer scrolls the box,
 * it stays where it is until the next note.
 */
export function useNoteTextAutoScroll(box: RefObject<HTMLElement | null>, playback: ReviewPlayback, noteId: string | undefined) {
  useEffect(() => {
    const element = box.current
    if (!element || noteId === undefined) return
    const { segments } = playback.playlist
    const durations = segments.map(s => s.milliseconds)
    element.scrollTop = 0
    const scrollToPage = (position: number) => {
      const { index, offset } = locateSegment(durations, position)
      const segment = segments[index]
      if (!segment || !('note' in segment) || segment.note?.id !== noteId) return
      const part = offset / segment.milliseconds
      const overlap = 1.2 * Number.parseFloat(getComputedStyle(element).lineHeight)
      element.scrollTop = pagedScrollTopAt(part, element.clientHeight, element.scrollHeight, overlap)
    }
    scrollToPage(playback.$position.get())
    const stopScrolling = playback.$position.listen(scrollToPage)
    for (const type of STOPPING_EVENTS) element.addEventListener(type, stopScrolling, { passive: true })
    return () => {
      stopScrolling()
      for (const type of STOPPING_EVENTS) element.removeEventListener(type, stopScrolling)
    }
  }, [box, playback, noteId])
}
