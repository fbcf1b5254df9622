import { useEffect } from 'react'
import { isTextEntry } from '../ui/shortcut-guards.ts'
import type { VideoPlayer } from './video-player.ts'

/** How many frames a key press moves with Shift held down, here and in comparisons. */
export const FRAMES_PER_LARGE_STEP = 10

/** Elements that use the stage's keys themselves. Inputs without text, such as the strip's slider, use only the arrow keys. */
const OWN_KEYS = '[role=tab], [role=radio], [role=menu], [role=listbox], [role=application], [role=dialog]'

/** Handles keys anywhere on a page with a stage: the left and right arrows, comma and period step by frames; K plays and pauses. */
export function useStageKeys(player: Pick<VideoPlayer, 'step' | 'toggle'>) {
  useEffect(() => {
    const handleKey = (e: KeyboardEvent) => {
      if (e.defaultPrevented || e.altKey || e.ctrlKey || e.metaKey || isTextEntry(e.target)) return
      if (e.target instanceof Element && e.target.closest(e.key.startsWith('Arrow') ? `${OWN_KEYS}, input` : OWN_KEYS)) return
      const frames = e.shiftKey ? FRAMES_PER_LARGE_STEP : 1
      const act = {
        arrowleft: () => player.step(-frames),
        arrowright: () => player.step(frames),
        ',': () => player.step(-frames),
        '<': () => player.step(-frames),
        '.': () => player.step(frames),
        '>': () => player.step(frames),
        k: player.toggle,
      }[e.key.toLowerCase()]
      if (!act) return
      e.preventDefault()
      act()
    }
    document.addEventListener('keydown', handleKey)
    return () => document.removeEventListener('keydown', handleKey)
  }, [player])
}
