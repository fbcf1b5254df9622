import { type RefObject, useEffect } from 'react'
import type { ReviewPlayback } from './review-playback.ts'
import { segmentStart } from './review-playlist.ts'

/** The lines of two pages overlap by this much, so that a line that is cut at the end of a page is whole on the next. */
const OVERLAP_PX = 28
/** Inputs with which a reader scrolls. */
const SCROLL_INPUTS = ['wheel', 'touchmove', 'pointerdown', 'keydown'] as const

/** Where a box of this height is scrolled to when `part` (0 to 1) of the time for its text has passed. */
export function pageTopAt(part: number, height: number, textHeight: number): number {
  const step = Math.max(1, height - OVERLAP_PX)
  const pages = 1 + Math.ceil(Math.max(0, textHeight - height) / step)
  return Math.min(pages - 1, Math.floor(part * pages)) * step
}

/**
 * Scrolls the box of a note whose text does not fit page by page while the note's part of the review plays. Once the reader scrolls it, it
 * stays where it is until the next note.
 */
export function useTurnedPages(box: RefObject<HTMLElement | null>, playback: ReviewPlayback, note: string | undefined) {
  useEffect(() => {
    const element = box.current
    if (!element || note === undefined) return
    element.scrollTop = 0
    const durations = playback.playlist.segments.map(s => s.milliseconds)
    const turnPage = (position: number) => {
      const index = playback.$segment.get()
      const segment = playback.playlist.segments[index]
      if (!segment || !('note' in segment) || segment.note?.id !== note) return
      const part = (position - segmentStart(durations, index)) / segment.milliseconds
      element.scrollTop = pageTopAt(part, element.clientHeight, element.scrollHeight)
    }
    const stopTurning = playback.$position.listen(turnPage)
    for (const type of SCROLL_INPUTS) element.addEventListener(type, stopTurning, { passive: true })
    return () => {
      stopTurning()
      for (const type of SCROLL_INPUTS) element.removeEventListener(type, stopTurning)
    }
  }, [box, playback, note])
}
