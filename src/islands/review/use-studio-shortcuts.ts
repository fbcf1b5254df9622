import { useEffect, useRef } from 'react'
import { ARROW_DIRECTIONS } from '../../drawing/viewport.ts'
import { PLAYBACK_SPEEDS } from '../../player/playback-speeds.ts'
import { FRAMES_PER_LARGE_STEP } from '../../player/stage-keys.ts'
import type { VideoPlayer } from '../../player/video-player.ts'
import { isDialogOpen, isTextEntry } from '../../ui/shortcut-guards.ts'

export interface ShortcutActions {
  note: () => void
  /** Focuses the text of the current note. */
  write: () => void
  phrases: () => void
  summary: () => void
  deliver: () => void
  /** Selects the previous or next video. */
  changeVideo: (by: 1 | -1) => void
  /** Sets a technique position by its number. */
  setPosition: (number: number) => void
  /** Goes to the previous or next technique position. */
  goToNeighborPosition: (direction: 1 | -1) => void
  help: () => void
  /** Toggles between the earlier sessions and the notes. */
  toggleEarlierSessions: () => void
  toggleDrawing: () => void
  compare: () => void
  voice: () => void
  undo: () => void
  redo: () => void
  copy: () => void
  paste: () => void
  /** Whether a drawing tool is chosen. */
  isDrawing: () => boolean
  /** Chooses the tool that makes a drawing follow a movement. */
  follow: () => void
  /** Deletes the selected drawing. */
  remove: () => void
  /** Cancels the stroke in progress, otherwise clears the selection, otherwise stops drawing. */
  leave: () => void
  /** Zooms by a factor; 0 shows the whole picture. */
  zoom: (factor: number) => void
  /** Moves a zoomed picture one step; `by` is an arrow key's direction. Returns false if the picture is not zoomed. */
  pan: (by: { x: number; y: number }) => boolean
}

/** Elements that use the arrow keys themselves. */
const USES_ARROW_KEYS = 'input, select, [role=tab], [role=slider]'
/** Elements that use Space and Enter themselves. */
const USES_SPACE_AND_ENTER = 'a, button, label, summary, [type=radio], [type=checkbox]'

/**
 * Handles the studio's keyboard shortcuts. None works while a dialog is open, and only Ctrl+Enter works in text fields. `comparing`: a
 * comparison replaces the video and has its own shortcuts, so only the shortcuts for tabs and dialogs are active here.
 */
export function useStudioShortcuts(player: VideoPlayer, actions: ShortcutActions, comparing: boolean) {
  const latest = useRef(actions)
  latest.current = actions
  useEffect(() => {
    const press = (e: KeyboardEvent) => {
      const isDeliverShortcut = e.key === 'Enter' && (e.ctrlKey || e.metaKey)
      // Typed letters are frequent, so the handler returns early for them.
      if (e.altKey || (!isDeliverShortcut && isTextEntry(e.target)) || isDialogOpen()) return
      if (isDeliverShortcut) {
        latest.current.deliver()
        e.preventDefault()
        return
      }
      if (comparing) {
        const { toggleEarlierSessions: before, summary, phrases, help } = latest.current
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
        // If text is selected, the browser copies that text.
        if (!act || (e.key === 'c' && getSelection()?.toString())) return
        act()
        e.preventDefault()
        return
      }
      // Uses `code`, the physical key, because with Shift a digit key types another character, depending on the keyboard layout.
      const digit = Number(/^Digit(\d)$/.exec(e.code)?.[1] ?? e.key)
      if (e.shiftKey && digit >= 1 && digit <= 5) {
        latest.current.setPosition(digit)
        e.preventDefault()
        return
      }
      const frames = e.shiftKey ? FRAMES_PER_LARGE_STEP : 1
      const direction = ARROW_DIRECTIONS[e.key]
      if (direction) {
        if (e.defaultPrevented || (e.target instanceof Element && e.target.closest(USES_ARROW_KEYS))) return
        if (!latest.current.pan(direction)) {
          if (!direction.x) return
          player.step(direction.x * frames)
        }
        e.preventDefault()
        return
      }
      const speed = PLAYBACK_SPEEDS[digit - 1]
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
        '{': () => latest.current.goToNeighborPosition(-1),
        '}': () => latest.current.goToNeighborPosition(1),
        b: latest.current.toggleEarlierSessions,
        d: latest.current.toggleDrawing,
        c: latest.current.compare,
        v: latest.current.voice,
        enter: latest.current.write,
        p: latest.current.phrases,
        s: latest.current.summary,
        '[': () => latest.current.changeVideo(-1),
        ']': () => latest.current.changeVideo(1),
        '+': () => latest.current.zoom(1.25),
        '=': () => latest.current.zoom(1.25),
        '-': () => latest.current.zoom(0.8),
        '0': () => latest.current.zoom(0),
        '?': latest.current.help,
        ...(latest.current.isDrawing() && {
          f: latest.current.follow,
          escape: latest.current.leave,
          delete: latest.current.remove,
          backspace: latest.current.remove,
        }),
      }[e.key.toLowerCase()]
      if ((e.key === ' ' || e.key === 'Enter') && e.target instanceof Element && e.target.closest(USES_SPACE_AND_ENTER)) return
      if (speed) player.setSpeed(speed)
      else if (act) act()
      else return
      e.preventDefault()
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [player, comparing])
}
