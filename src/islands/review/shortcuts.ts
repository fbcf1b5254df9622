import { useEffect, useRef } from 'react'
import { type Player, SPEEDS } from '../folder/player.ts'

/** Every key of the studio, as the help shows them. */
export const KEYS: [string, string][] = [
  ['Space or K', 'Play, pause'],
  ['J and L', 'One second back, on'],
  [', and .', 'One frame back, on'],
  ['Shift , and .', 'Ten frames back, on'],
  ['1 to 5', `Speed ${SPEEDS.map(s => `${s}×`).join(', ')}`],
  ['M', 'New note at this frame'],
  ['Esc', 'Out of a note; an empty one goes'],
  ['?', 'These keys'],
]

const typing = (target: EventTarget | null) =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))

/** The keys of the studio; silent while somebody types or a dialog is open. */
export function useShortcuts(player: Player, actions: { note: () => void; help: () => void }) {
  const latest = useRef(actions)
  latest.current = actions
  useEffect(() => {
    function press(e: KeyboardEvent) {
      if (e.ctrlKey || e.metaKey || e.altKey || document.querySelector('[role=dialog]')) return
      if (typing(e.target) && !(e.target as HTMLElement).matches('[type=range]')) return
      const speed = SPEEDS[Number(e.key) - 1]
      const frames = e.shiftKey ? 10 : 1
      const act = {
        ' ': player.toggle,
        k: player.toggle,
        j: () => player.seek(player.$time.get() - 1000),
        l: () => player.seek(player.$time.get() + 1000),
        ',': () => player.step(-frames),
        '<': () => player.step(-frames),
        '.': () => player.step(frames),
        '>': () => player.step(frames),
        m: latest.current.note,
        '?': latest.current.help,
      }[e.key.toLowerCase()]
      // A focused button keeps its space bar.
      if (e.key === ' ' && e.target instanceof HTMLButtonElement) return
      if (speed) player.speed(speed)
      else if (act) act()
      else return
      e.preventDefault()
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [player])
}
