import { useEffect, useRef } from 'react'
import { ARROW_DIRECTIONS } from '../../drawing/viewport.ts'
import type { Player } from '../../player/player.ts'
import { PLAYBACK_SPEEDS } from '../../player/speeds.ts'

const isTextField = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName)) &&
  !target.matches('[type=range], [type=radio]')

/** Dialogs lie in the body itself; a search through all of a long review would take longer than the key does. */
const dialogIsOpen = () => [...document.body.children].some(it => it.matches('[role=dialog]'))

export interface ShortcutActions {
  note: () => void
  /** Writes on in the note that is shown. */
  write: () => void
  phrases: () => void
  summary: () => void
  deliver: () => void
  /** So many videos on. */
  turn: (by: 1 | -1) => void
  /** Sets a position of the technique, by its number. */
  position: (number: number) => void
  /** To the position before or after. */
  jump: (way: 1 | -1) => void
  help: () => void
  /** The earlier sessions beside the stage, or back. */
  before: () => void
  togglePencil: () => void
  compare: () => void
  voice: () => void
  undo: () => void
  redo: () => void
  copy: () => void
  paste: () => void
  /** Whether there is a pencil in the hand. */
  isDrawing: () => boolean
  /** Deletes the drawing that is chosen. */
  remove: () => void
  /** One step out of drawing. */
  leave: () => void
  /** Larger by a factor; 0 shows all of it. */
  zoom: (factor: number) => void
  /** Moves a picture that is larger than its place; says whether it is. */
  pan: (by: { x: number; y: number }) => boolean
}

/** What does something of its own with the arrow keys. */
const USES_ARROW_KEYS = 'input, select, [role=tab], [role=slider]'

/**
 * The keys of the studio; silent while somebody types or a dialog is open. `comparing`: a comparison is in the place of the video and has
 * keys of its own; only what lies beside it is reached by these.
 */
export function useShortcuts(player: Player, actions: ShortcutActions, comparing: boolean) {
  const latest = useRef(actions)
  latest.current = actions
  useEffect(() => {
    const press = (e: KeyboardEvent) => {
      const isDeliverShortcut = e.key === 'Enter' && (e.ctrlKey || e.metaKey)
      // Letters that are typed are many: they ask for nothing else.
      if (e.altKey || (!isDeliverShortcut && isTextField(e.target)) || dialogIsOpen()) return
      if (isDeliverShortcut) {
        latest.current.deliver()
        e.preventDefault()
        return
      }
      if (comparing) {
        const { before, summary, phrases, help } = latest.current
        const act = { b: before, s: summary, p: phrases, '?': help }[e.key.toLowerCase()]
        if (!act || e.ctrlKey || e.metaKey) return
        act()
        e.preventDefault()
        return
      }
      if (e.ctrlKey || e.metaKey) {
        const act = {
          z: e.shiftKey ? latest.current.redo : latest.current.undo,
          y: latest.current.redo,
          c: latest.current.copy,
          v: latest.current.paste,
        }[e.key.toLowerCase()]
        // Words that are marked are copied as everywhere.
        if (!act || (e.key === 'c' && getSelection()?.toString())) return
        act()
        e.preventDefault()
        return
      }
      // By where the key is: with Shift it types another sign on every keyboard.
      const digit = Number(/^Digit(\d)$/.exec(e.code)?.[1] ?? e.key)
      if (e.shiftKey && digit >= 1 && digit <= 5) {
        latest.current.position(digit)
        e.preventDefault()
        return
      }
      const way = ARROW_DIRECTIONS[e.key]
      if (way) {
        if (!(e.target instanceof Element && e.target.closest(USES_ARROW_KEYS)) && latest.current.pan(way)) e.preventDefault()
        return
      }
      const speed = PLAYBACK_SPEEDS[digit - 1]
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
        '{': () => latest.current.jump(-1),
        '}': () => latest.current.jump(1),
        b: latest.current.before,
        d: latest.current.togglePencil,
        c: latest.current.compare,
        v: latest.current.voice,
        enter: latest.current.write,
        p: latest.current.phrases,
        s: latest.current.summary,
        '[': () => latest.current.turn(-1),
        ']': () => latest.current.turn(1),
        '+': () => latest.current.zoom(1.25),
        '=': () => latest.current.zoom(1.25),
        '-': () => latest.current.zoom(0.8),
        '0': () => latest.current.zoom(0),
        '?': latest.current.help,
        ...(latest.current.isDrawing() && {
          escape: latest.current.leave,
          delete: latest.current.remove,
          backspace: latest.current.remove,
        }),
      }[e.key.toLowerCase()]
      // What is focused keeps its space bar and its Enter.
      if ((e.key === ' ' || e.key === 'Enter') && e.target instanceof Element && e.target.closest('a, button, label, summary')) return
      if (speed) player.setSpeed(speed)
      else if (act) act()
      else return
      e.preventDefault()
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [player, comparing])
}
