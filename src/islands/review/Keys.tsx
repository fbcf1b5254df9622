import { useStore } from '@nanostores/react'
import { MOST, nudged, whole } from '../../drawing/view.ts'
import type { Player } from '../../player/player.ts'
import { handleAfterPaint } from '../../ui/next-paint.ts'
import type { Draw } from './drawing.ts'
import { type Acts, useShortcuts } from './shortcuts.ts'
import type { Desk } from './studio-store.ts'
import type { Technique } from './technique.ts'
import type { Speaking } from './voice/speaking.ts'

/** What the keys of the studio do. It shows nothing. */
export function Keys({
  desk,
  guardedPlayer,
  draw,
  speaking,
  technique,
}: {
  desk: Desk
  guardedPlayer: Player
  draw: Draw
  speaking: Speaking
  technique: Technique
}) {
  const comparing = useStore(desk.$comparing) !== undefined
  const { $view, $tab, $dialog, $current, draftStore } = desk
  const acts: Acts = {
    compare: handleAfterPaint(desk.compareAgain),
    position: technique.setNumber,
    jump: technique.jump,
    note: desk.addNote,
    write: () => {
      const current = $current.get()
      if (current && draftStore.$draft.get().notes.some(n => n.id === current)) desk.write(current)
    },
    phrases: () => $dialog.set('phrases'),
    summary: () => desk.turnTo('#summary'),
    deliver: desk.deliver,
    turn: desk.turn,
    help: () => $dialog.set('help'),
    before: () => $tab.set($tab.get() === 'before' ? 'notes' : 'before'),
    draw: draw.draw,
    voice: speaking.record,
    undo: draw.acts.undo,
    redo: draw.acts.redo,
    copy: draw.acts.copy,
    paste: draw.acts.paste,
    drawing: () => draw.pencil.$instrument.get() !== null,
    remove: draw.acts.remove,
    leave: draw.acts.leave,
    zoom: factor => $view.set(factor ? { ...$view.get(), scale: Math.min(MOST, Math.max(1, $view.get().scale * factor)) } : whole),
    pan(by) {
      const larger = $view.get().scale > 1
      if (larger) $view.set(nudged($view.get(), by))
      return larger
    },
  }
  useShortcuts(guardedPlayer, acts, comparing)
  return null
}
