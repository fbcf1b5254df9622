import type { ReadableAtom } from 'nanostores'
import { useEffect, useRef } from 'react'
import { runWhenIdle } from '../../client/run-when-idle.ts'
import type { VideoPlayer } from '../../player/video-player.ts'

/** Where the instructor left off in a review on this device, and which videos they have opened. */
export interface StudioResumePoint {
  clip?: string
  frame?: number
  tab?: string
  note?: string
  opened: string[]
}

const STORAGE_KEY = 'places'
/** Resume points of older reviews are dropped. */
const MAX_REMEMBERED_SESSIONS = 60
/** The resume point is written this long after the first change, because scrubbing changes the frame many times per second. */
const WRITE_DELAY_MS = 500

function readAll(): Record<string, StudioResumePoint> {
  try {
    return JSON.parse(localStorage.getItem(STORAGE_KEY) ?? '{}')
  } catch {
    return {}
  }
}
function writeResumePoint(session: string, point: StudioResumePoint | undefined) {
  const { [session]: _, ...others } = readAll()
  const entries = Object.entries(others).slice(-MAX_REMEMBERED_SESSIONS + 1)
  try {
    localStorage.setItem(STORAGE_KEY, JSON.stringify(Object.fromEntries(point ? [...entries, [session, point]] : entries)))
  } catch {
    // Without storage, a review starts at its beginning.
  }
}

/** The resume point of a session's review on this device; `{ opened: [] }` for a new session. */
export const readStudioResumePoint = (session: string): StudioResumePoint => ({ opened: [], ...readAll()[session] })
const forgetStudioResumePoint = (session: string) => writeResumePoint(session, undefined)

interface WatchedStores {
  player: Pick<VideoPlayer, '$frame'>
  $clipId: ReadableAtom<string>
  $tab: ReadableAtom<string>
  $currentNoteId: ReadableAtom<string | undefined>
}

/** Stores the resume point of a review on this device. Returns a function that deletes it; call that after the delivery. */
export function useRememberStudioResumePoint(session: string, { player, $clipId, $tab, $currentNoteId }: WatchedStores) {
  const done = useRef(false)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const write = () => {
      clearTimeout(timer)
      timer = undefined
      const [clip, tab, note] = [$clipId.get(), $tab.get(), $currentNoteId.get()]
      if (done.current || !clip) return
      const opened = [...new Set([...readStudioResumePoint(session).opened, clip])]
      writeResumePoint(session, { clip, frame: player.$frame.get(), tab, ...(note !== undefined && { note }), opened })
    }
    const flush = () => timer && write()
    const scheduleWrite = () => {
      timer ??= setTimeout(() => runWhenIdle(flush, { timeout: WRITE_DELAY_MS }), WRITE_DELAY_MS)
    }
    const stop = [$clipId.subscribe(write), ...[player.$frame, $tab, $currentNoteId].map(store => store.listen(scheduleWrite))]
    addEventListener('pagehide', flush)
    return () => {
      for (const end of stop) end()
      flush()
      removeEventListener('pagehide', flush)
    }
  }, [session, player, $clipId, $tab, $currentNoteId])
  return () => {
    done.current = true
    forgetStudioResumePoint(session)
  }
}
