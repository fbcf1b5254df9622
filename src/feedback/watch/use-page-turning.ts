import { type RefObject, useEffect } from 'react'
import { locateSegment } from './playback-transitions.ts'
import type { ReviewPlayback } from './review-playback.ts'

/** Inputs with which a reader scrolls, or moves to a link in the text. */
const STOPPING_EVENTS = ['wheel', 'touchmove', 'pointerdown', 'keydown', 'focusin'] as const

/**
 * Where a box is scrolled to when `part` (0 to 1) of the time for its text has passed; all lengths in pixels.
 * @param overlap what the next page repeats of the one before, so that a line cut at the bottom is whole at the top
 */
export function pageTopAt(part: number, height: number, textHeight: number, overlap: number): number {
  const step = Math.max(1, height - overlap)
  const pages = 1 + Math.ceil(Math.max(0, textHeight - height) / step)
  return Math.min(pages - 1, Math.floor((part * textHeight) / step)) * step
}

/**
 * While a note's part of the review plays, scrolls the note's box page by page if its text does not fit. Once the reader scrolls the box, it
 * stays where it is until the next note.
 */
export function usePageTurning(box: RefObject<HTMLElement | null>, playback: ReviewPlayback, noteId: string | undefined) {
  useEffect(() => {
    const element = box.current
    if (!element || noteId === undefined) return
    const { segments } = playback.playlist
    const durations = segments.map(s => s.milliseconds)
    element.scrollTop = 0
    const turnPage = (position: number) => {
      const { index, offset } = locateSegment(durations, position)
      const segment = segments[index]
      if (!segment || !('note' in segment) || segment.note?.id !== noteId) return
      const part = offset / segment.milliseconds
      const overlap = 1.2 * Number.parseFloat(getComputedStyle(element).lineHeight)
      element.scrollTop = pageTopAt(part, element.clientHeight, element.scrollHeight, overlap)
    }
    turnPage(playback.$position.get())
    const stopTurning = playback.$position.listen(turnPage)
    for (const type of STOPPING_EVENTS) element.addEventListener(type, stopTurning, { passive: true })
    return () => {
      stopTurning()
      for (const type of STOPPING_EVENTS) element.removeEventListener(type, stopTurning)
    }
  }, [box, playback, noteId])
}
