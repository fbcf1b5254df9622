import type { ReadableAtom } from 'nanostores'
import { useEffect, useRef } from 'react'
import { whenIdle } from '../../client/when-idle.ts'
import type { Player } from '../../player/player.ts'

/** Where one was in a review, and which of its videos were looked at. */
export interface Place {
  clip?: string
  frame?: number
  tab?: string
  note?: string
  opened: string[]
}

const KEY = 'places'
/** Of so many reviews at most; the oldest go. */
const MOST = 60
/** While one scrubs, so many ms go by before it is noted where. */
const PAUSE = 500

function all(): Record<string, Place> {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? '{}')
  } catch {
    return {}
  }
}
function keep(session: string, place: Place | undefined) {
  const { [session]: _, ...others } = all()
  const entries = Object.entries(others).slice(-MOST + 1)
  try {
    localStorage.setItem(KEY, JSON.stringify(Object.fromEntries(place ? [...entries, [session, place]] : entries)))
  } catch {
    // No storage: a review opens at its beginning.
  }
}

/** Where this device was last in a session's review. */
export const placeOf = (session: string): Place => ({ opened: [], ...all()[session] })
export const forgetPlace = (session: string) => keep(session, undefined)

interface Here {
  player: Pick<Player, '$frame'>
  $clipId: ReadableAtom<string>
  $tab: ReadableAtom<string>
  /** Id of a note. */
  $current: ReadableAtom<string | undefined>
}

/** Keeps in mind on this device where one is, until what it answers is called: the review is delivered. */
export function usePlace(session: string, { player, $clipId, $tab, $current }: Here) {
  const done = useRef(false)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const write = () => {
      clearTimeout(timer)
      timer = undefined
      const [clip, tab, note] = [$clipId.get(), $tab.get(), $current.get()]
      if (done.current || !clip) return
      const opened = [...new Set([...placeOf(session).opened, clip])]
      keep(session, { clip, frame: player.$frame.get(), tab, ...(note !== undefined && { note }), opened })
    }
    const left = () => timer && write()
    const soon = () => {
      timer ??= setTimeout(() => whenIdle(left, { timeout: PAUSE }), PAUSE)
    }
    const stop = [$clipId.subscribe(write), ...[player.$frame, $tab, $current].map(store => store.listen(soon))]
    addEventListener('pagehide', left)
    return () => {
      for (const end of stop) end()
      left()
      removeEventListener('pagehide', left)
    }
  }, [session, player, $clipId, $tab, $current])
  return () => {
    done.current = true
    forgetPlace(session)
  }
}
