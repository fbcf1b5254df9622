import { nudged, WAYS, whole } from '../drawing/view.ts'
import { SPEEDS } from './clock.ts'
import type { Comparer } from './comparer.ts'
import type { ComparedDrawing } from './drawing.ts'

/** Does what a key means to what is drawn upon a comparison; says whether it means anything. */
export function drew(
  { toggle, acts, instrument }: Pick<ComparedDrawing, 'toggle' | 'acts' | 'instrument'>,
  e: Pick<KeyboardEvent, 'key' | 'shiftKey' | 'target' | 'altKey' | 'ctrlKey' | 'metaKey'>,
): boolean {
  if (e.altKey || typing(e.target)) return false
  const act =
    e.ctrlKey || e.metaKey
      ? { z: e.shiftKey ? acts.redo : acts.undo, y: acts.redo, c: acts.copy, v: acts.paste }[e.key.toLowerCase()]
      : { d: toggle, ...(instrument && { escape: acts.leave, delete: acts.remove, backspace: acts.remove }) }[e.key.toLowerCase()]
  // Words that are marked are copied as everywhere.
  if (!act || (act === acts.copy && getSelection()?.toString())) return false
  act()
  return true
}

const typing = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  (target.isContentEditable ||
    (/^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName) && !target.matches('[type=range], [type=radio], [type=checkbox]')))

/** Does what a key means to a comparison; says whether it means anything. The same keys as on the stage. */
export function pressed(
  comparer: Comparer,
  e: Pick<KeyboardEvent, 'key' | 'shiftKey' | 'target' | 'altKey' | 'ctrlKey' | 'metaKey'>,
): boolean {
  if (e.altKey || e.ctrlKey || e.metaKey || typing(e.target)) return false
  const way = WAYS[e.key]
  if (way) {
    // A slider, a choice and the board that one draws on keep their arrows.
    if (comparer.$view.get().scale <= 1 || (e.target instanceof HTMLElement && e.target.closest('input, [role=application]'))) return false
    comparer.$view.set(nudged(comparer.$view.get(), way))
    return true
  }
  const frames = e.shiftKey ? 10 : 1
  const speed = SPEEDS[Number(e.key) - 1]
  const act = {
    ' ': comparer.toggle,
    k: comparer.toggle,
    j: () => comparer.seek(comparer.$at.get() - 1000),
    l: () => comparer.seek(comparer.$at.get() + 1000),
    ',': () => comparer.step(-frames),
    '<': () => comparer.step(-frames),
    '.': () => comparer.step(frames),
    '>': () => comparer.step(frames),
    '+': () => comparer.zoom(1.25),
    '=': () => comparer.zoom(1.25),
    '-': () => comparer.zoom(0.8),
    '0': () => {
      comparer.$view.set(whole)
      comparer.seek(0)
    },
  }[e.key.toLowerCase()]
  // A focused button keeps its space bar.
  if (e.key === ' ' && e.target instanceof HTMLElement && e.target.closest('button, [type=radio], [type=checkbox]')) return false
  if (speed) comparer.speed(speed)
  else if (act) act()
  else return false
  return true
}
