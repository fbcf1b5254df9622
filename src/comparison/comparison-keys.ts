import { ARROW_DIRECTIONS, fullViewport, nudgeViewport } from '../drawing/viewport.ts'
import { PLAYBACK_SPEEDS } from '../player/playback-speeds.ts'
import { FRAMES_PER_LARGE_STEP } from '../player/stage-keys.ts'
import { isTextEntry } from '../ui/shortcut-guards.ts'
import type { SyncedComparisonController } from './synced-comparison.ts'
import type { ComparisonDrawing } from './use-comparison-drawing.ts'

/** Handles a key that draws on a comparison or adds a note to it. Returns whether the key was handled. */
export function handleComparisonDrawingKey(
  { toggle, acts, instrument, addNote }: Pick<ComparisonDrawing, 'toggle' | 'acts' | 'instrument'> & { addNote: () => void },
  e: Pick<KeyboardEvent, 'key' | 'shiftKey' | 'target' | 'altKey' | 'ctrlKey' | 'metaKey'>,
): boolean {
  if (e.altKey || isTextEntry(e.target)) return false
  const act =
    e.ctrlKey || e.metaKey
      ? { z: e.shiftKey ? acts.redo : acts.undo, y: acts.redo, c: acts.copy, v: acts.paste }[e.key.toLowerCase()]
      : { d: toggle, m: addNote, ...(instrument && { escape: acts.leave, delete: acts.remove, backspace: acts.remove }) }[
          e.key.toLowerCase()
        ]
  // If text is selected, the browser copies that text.
  if (!act || (act === acts.copy && getSelection()?.toString())) return false
  act()
  return true
}

/** Handles a key that plays or moves a comparison; the keys are the same as on the stage. Returns whether the key was handled. */
export function handleComparisonKey(
  comparer: SyncedComparisonController,
  e: Pick<KeyboardEvent, 'key' | 'shiftKey' | 'target' | 'altKey' | 'ctrlKey' | 'metaKey'>,
): boolean {
  if (e.altKey || e.ctrlKey || e.metaKey || isTextEntry(e.target)) return false
  const direction = ARROW_DIRECTIONS[e.key]
  if (direction) {
    // The arrow keys move a zoomed picture. Sliders, radio buttons and the drawing surface use these keys themselves.
    if (comparer.$view.get().scale <= 1 || (e.target instanceof HTMLElement && e.target.closest('input, [role=application]'))) return false
    comparer.$view.set(nudgeViewport(comparer.$view.get(), direction))
    return true
  }
  const frames = e.shiftKey ? FRAMES_PER_LARGE_STEP : 1
  const speed = PLAYBACK_SPEEDS[Number(e.key) - 1]
  const act = {
    ' ': comparer.toggle,
    k: comparer.toggle,
    j: () => comparer.seek(comparer.$time.get() - 1000),
    l: () => comparer.seek(comparer.$time.get() + 1000),
    ',': () => comparer.step(-frames),
    '<': () => comparer.step(-frames),
    '.': () => comparer.step(frames),
    '>': () => comparer.step(frames),
    '+': () => comparer.zoom(1.25),
    '=': () => comparer.zoom(1.25),
    '-': () => comparer.zoom(0.8),
    '0': () => {
      comparer.$view.set(fullViewport)
      comparer.seek(0)
    },
  }[e.key.toLowerCase()]
  // If a button is focused, the space bar presses that button, as everywhere on the web.
  if (e.key === ' ' && e.target instanceof HTMLElement && e.target.closest('button, [type=radio], [type=checkbox]')) return false
  if (speed) comparer.setSpeed(speed)
  else if (act) act()
  else return false
  return true
}
