import { useStore } from '@nanostores/react'
import { fullViewport, MAX_ZOOM, nudgeViewport } from '../../drawing/viewport.ts'
import type { VideoPlayer } from '../../player/video-player.ts'
import type { StudioDrawing } from './studio-drawing.ts'
import type { StudioStore } from './studio-store.ts'
import { type ShortcutActions, useStudioShortcuts } from './use-studio-shortcuts.ts'
import type { TechniqueEditor } from './use-technique-editor.ts'
import type { StudioVoice } from './voice/studio-voice.ts'

/** Connects keyboard shortcuts to the studio's actions. Renders nothing. */
export function StudioShortcutListener({
  studio,
  guardedPlayer,
  drawing,
  studioVoice,
  technique,
}: {
  studio: StudioStore
  guardedPlayer: VideoPlayer
  drawing: StudioDrawing
  studioVoice: StudioVoice
  technique: TechniqueEditor
}) {
  const comparing = useStore(studio.$comparing) !== undefined
  const { $view, $tab, $dialog, $currentNoteId, autosavedDraft } = studio
  const acts: ShortcutActions = {
    compare: studio.reopenComparison,
    setPosition: technique.setNumber,
    goToNeighborPosition: technique.goToAdjacent,
    note: studio.addNote,
    write: () => {
      const current = $currentNoteId.get()
      if (current && autosavedDraft.$draft.get().notes.some(n => n.id === current)) studio.editNoteText(current)
    },
    phrases: () => $dialog.set('phrases'),
    summary: () => studio.openSummaryAt('#summary'),
    deliver: studio.openDeliverDialog,
    changeVideo: studio.selectAdjacentClip,
    help: () => $dialog.set('help'),
    toggleEarlierSessions: () => $tab.set($tab.get() === 'before' ? 'notes' : 'before'),
    toggleDrawing: drawing.toggleDrawing,
    voice: studioVoice.toggleRecording,
    undo: drawing.acts.undo,
    redo: drawing.acts.redo,
    copy: drawing.acts.copy,
    paste: drawing.acts.paste,
    isDrawing: () => drawing.shapeEditor.$instrument.get() !== null,
    follow: () => drawing.shapeEditor.choose('follow'),
    remove: drawing.acts.remove,
    leave: drawing.acts.leave,
    zoom: factor =>
      $view.set(factor ? { ...$view.get(), scale: Math.min(MAX_ZOOM, Math.max(1, $view.get().scale * factor)) } : fullViewport),
    pan(by) {
      const larger = $view.get().scale > 1
      if (larger) $view.set(nudgeViewport($view.get(), by))
      return larger
    },
  }
  useStudioShortcuts(guardedPlayer, acts, comparing)
  return null
}
