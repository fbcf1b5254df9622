import { atom, computed } from 'nanostores'
import { useEffect, useState } from 'react'
import { v7 } from 'uuid'
import type { Draft, NoteKind, Session, Video } from '../../../modules/folders/contract.ts'
import { MAX_NOTES_PER_REVIEW } from '../../../modules/folders/policy.ts'
import type { AutosavingDraftStore } from '../../draft/autosaved-draft.ts'
import { fullViewport, type Viewport } from '../../drawing/viewport.ts'
import { createUrlRenewer } from '../../folders/video-url-renewer.ts'
import { createVideoPlayer } from '../../player/video-player.ts'
import { toast } from '../../ui/toast.ts'
import type { StageActionRecorder } from '../../voice/stage-action-recorder.ts'
import { readStudioResumePoint } from './studio-resume-point.ts'

/** The position of a note in one clip, and the same moment in another one. */
export type TwoAngleMoment = Pick<Draft['notes'][number], 'video' | 'at' | 'frame' | 'otherAngle'>

type Dialog = 'decline' | 'deliver' | 'already-delivered' | 'help' | 'phrases' | 'nothing-to-review'

export const showNoteLimitToast = () =>
  toast({ title: 'Limit reached', description: `A review has at most ${MAX_NOTES_PER_REVIEW} notes. Delete one first.` })

/** The kind of every new note until the instructor chooses another. */
export const DEFAULT_NOTE_KIND: NoteKind = 'technique'

/** The content of a tab renders some frames after the press, more on a slow device, so focusing is retried for this many frames. */
const FOCUS_ATTEMPT_FRAMES = 120

/** Focuses the element that matches the selector `field`, as soon as it is rendered. */
export function focusWhenRendered(field: string, options?: FocusOptions, frames = FOCUS_ATTEMPT_FRAMES) {
  const element = document.querySelector<HTMLElement>(field)
  if (element) element.focus(options)
  else if (frames) requestAnimationFrame(() => focusWhenRendered(field, options, frames - 1))
}

export type StudioStore = ReturnType<typeof createStudioStore>

/** The studio's state (clip, note, tab, dialog, comparison) in stores, so that a change rerenders only the components that show it. */
function createStudioStore(autosavedDraft: AutosavingDraftStore, folder: string, session: Session) {
  const resumePoint = readStudioResumePoint(session.id)
  const renewClip = createUrlRenewer(folder)
  const player = createVideoPlayer(renewClip)
  const $clips = atom<Video[]>(session.clips)
  const $selected = atom(resumePoint.clip)
  /** The clip on the stage; undefined if the session has none. */
  const $clip = computed([$clips, $selected], (clips, selected) => clips.find(c => c.id === selected) ?? clips[0])
  const $currentNoteId = atom(resumePoint.note)
  /** Id of the note whose text gets the focus: one that was just added, or one that is to be edited. */
  const $newNoteId = atom<string | undefined>(undefined)
  const $tab = atom(resumePoint.tab ?? 'notes')
  // Leaving the notes tab forgets the new note. Otherwise coming back would focus its text, and keys would type instead of working as
  // shortcuts.
  $tab.listen(tab => tab !== 'notes' && $newNoteId.set(undefined))
  const $dialog = atom<Dialog | undefined>(undefined)
  /**
   * Set while a comparison replaces the stage; `id` is undefined while its clips are being chosen. `note`: the note whose moment it shows
   * first.
   */
  const $comparing = atom<{ id: string | undefined; note?: TwoAngleMoment | undefined } | undefined>(undefined)
  /** Id of the comparison that was open last. */
  let lastComparison: string | undefined
  /** Pauses a voice-over that controls the stage. Called when the instructor goes to another moment or clip. */
  let releaseStage = () => {}

  const isLoading = () => autosavedDraft.$saveState.get() === 'loading'
  /** Whether notes, drawings and voice-overs can be added. If not, because the clip's video is still being prepared, a toast says so. */
  const requirePicture = () => {
    if (player.$status.get() !== 'unprepared') return true
    toast({ title: 'Not yet', description: 'This video is still being prepared. You can add notes when it is ready.' })
    return false
  }
  const clipOf = (id: string) => $clips.get().find(c => c.id === id)
  const clip = clipOf(resumePoint.clip ?? '')
  if (clip) player.load(clip, { frame: resumePoint.frame ?? 0, play: false })

  /** Opens the Notes tab and moves the focus into the text of a note. */
  function editNoteText(id: string) {
    $tab.set('notes')
    $newNoteId.set(undefined)
    setTimeout(() => $newNoteId.set(id))
  }
  function addNote() {
    const clip = $clip.get()
    if (!clip || isLoading() || !requirePicture()) return
    const { notes } = autosavedDraft.$draft.get()
    player.pause()
    // If a drawing has already created a note without text on this frame, edit that note instead of adding another.
    const emptyNote = notes.find(
      n => n.id === $currentNoteId.get() && n.video === clip.id && !n.text && player.frameOf(n) === player.$frame.get(),
    )
    if (emptyNote) return editNoteText(emptyNote.id)
    addNoteAt({ video: clip.id, ...player.notePosition() })
  }
  function addNoteAt(position: TwoAngleMoment) {
    if (isLoading()) return
    if (autosavedDraft.$draft.get().notes.length >= MAX_NOTES_PER_REVIEW) {
      showNoteLimitToast()
      return
    }
    const id = v7()
    autosavedDraft.change(d => ({ ...d, notes: [...d.notes, { id, ...position, kind: DEFAULT_NOTE_KIND, text: '' }] }))
    $tab.set('notes')
    $currentNoteId.set(id)
    $newNoteId.set(id)
  }
  /** Shows a moment of the review. `id` names the note to make current; it is empty for moments without a note. */
  function goToMoment(to: { id: string; video: string; at: number; frame?: number | undefined }) {
    const target = clipOf(to.video)
    $currentNoteId.set(to.id)
    $comparing.set(undefined)
    releaseStage()
    if (!target) return
    player.pause()
    $selected.set(target.id)
    player.load(target, { ...to, play: false })
  }
  function selectClip(clip: Pick<Video, 'id'>) {
    releaseStage()
    $selected.set(clip.id)
    $currentNoteId.set(undefined)
  }
  function openComparison(id: string | undefined, note?: TwoAngleMoment) {
    if (isLoading()) return
    player.pause()
    lastComparison = id
    $comparing.set({ id, note })
  }

  return {
    autosavedDraft,
    player,
    /** Fetches a clip with newly signed URLs. */
    renewClip,
    isLoading,
    requirePicture,
    $clips,
    $clip,
    $currentNoteId,
    $newNoteId,
    $tab,
    $dialog,
    $comparing,
    $clipId: computed($clip, clip => clip?.id ?? ''),
    $view: atom<Viewport>(fullViewport),
    /** The recording in progress, which also records the shapes drawn during it; null if there is none. */
    $stageRecorder: atom<StageActionRecorder | null>(null),
    addNote,
    addNoteAt,
    editNoteText,
    goToMoment,
    selectClip,
    openComparison,
    /** Selects a note and opens the Notes tab. */
    showNote(id: string) {
      $tab.set('notes')
      $currentNoteId.set(id)
    },
    /** Shows a clip at a frame, playing or paused. Does nothing if the session has no such clip. */
    showClip(video: string, at: { frame: number; play: boolean }) {
      const target = clipOf(video)
      if (!target) return
      $comparing.set(undefined)
      $selected.set(video)
      player.load(target, at)
    },
    /** Selects the previous or next clip. */
    selectAdjacentClip(by: 1 | -1) {
      const all = $clips.get()
      const next = all[all.findIndex(c => c.id === $clip.get()?.id) + by]
      if (next) selectClip(next)
    },
    /** Opens the comparison that was open last, otherwise the last one in the list, otherwise the clip picker. */
    reopenComparison() {
      const all = autosavedDraft.$draft.get().comparisons
      openComparison(all?.find(c => c.id === lastComparison)?.id ?? all?.at(-1)?.id)
    },
    /** Opens the summary tab and focuses the element that matches the selector. */
    openSummaryAt(field: string) {
      $tab.set('summary')
      focusWhenRendered(field)
    },
    openDeliverDialog: () => isLoading() || $dialog.set('deliver'),
    /** Sets the function that pauses a voice-over that controls the stage. */
    setStageRelease(end: () => void) {
      releaseStage = end
    },
  }
}

/** Creates the studio store of a session and keeps its clips up to date. */
export function useCreateStudioStore(autosavedDraft: AutosavingDraftStore, folder: string, session: Session) {
  const [studio] = useState(() => createStudioStore(autosavedDraft, folder, session))
  const { clips } = session
  useEffect(() => studio.$clips.set(clips), [studio, clips])
  return studio
}
