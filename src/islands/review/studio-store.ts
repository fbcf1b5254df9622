import { atom, computed } from 'nanostores'
import { useEffect, useState } from 'react'
import { v7 } from 'uuid'
import type { NoteKind, Session, Video } from '../../../modules/folders/contract.ts'
import { NOTES_PER_REVIEW } from '../../../modules/folders/policy.ts'
import type { DraftStore } from '../../draft/draft-store.ts'
import { fullViewport, type Viewport } from '../../drawing/viewport.ts'
import { createUrlRenewer } from '../../folders/url-renewer.ts'
import { createPlayer } from '../../player/player.ts'
import { toast } from '../../ui/toast.ts'
import type { StageRecorder } from '../../voice/stage-recorder.ts'
import { lastPositionOf } from './last-position.ts'

type Dialog = 'deliver' | 'ended' | 'help' | 'phrases'

/** A tab's content comes a few frames after its press, more on a slow machine. */
const FOCUS_ATTEMPT_FRAMES = 120
export function focusWhenRendered(field: string, how?: FocusOptions, frames = FOCUS_ATTEMPT_FRAMES) {
  const there = document.querySelector<HTMLElement>(field)
  if (there) there.focus(how)
  else if (frames) requestAnimationFrame(() => focusWhenRendered(field, how, frames - 1))
}

export type StudioStore = ReturnType<typeof createStudioStore>

/** Where one is in a review that is being written, and the ways elsewhere. All of it in stores: a change draws only what shows it. */
function createStudioStore(draftStore: DraftStore, folder: string, session: Session) {
  const lastPosition = lastPositionOf(session.id)
  const player = createPlayer(createUrlRenewer(folder))
  const $clips = atom<Video[]>(session.clips)
  const $selected = atom(lastPosition.clip)
  /** The clip on the stage; undefined where a session has none. */
  const $clip = computed([$clips, $selected], (clips, selected) => clips.find(c => c.id === selected) ?? clips[0])
  /** Id of the note that is being written. */
  const $currentNoteId = atom(lastPosition.note)
  /** Id of the note that was just made: the cursor goes there. */
  const $newNoteId = atom<string | undefined>(undefined)
  const $tab = atom(lastPosition.tab ?? 'notes')
  // Whoever comes back to the notes writes in none of them yet: the next key is one of the studio's.
  $tab.listen(tab => tab !== 'notes' && $newNoteId.set(undefined))
  const $dialog = atom<Dialog | undefined>(undefined)
  /** The comparer is in the place of the stage, with this comparison or none yet. */
  const $comparing = atom<{ id: string | undefined } | undefined>(undefined)
  /** The comparison of last time. */
  let lastComparison: string | undefined
  /** The next note is of this kind. */
  let kind: NoteKind = 'technique'
  /** Whoever goes somewhere by hand has the stage, whatever voice leads it. */
  let releaseStage = () => {}

  const isLoading = () => draftStore.$saveState.get() === 'loading'
  /** Whether there is a picture that notes and drawings can be about; says so where it is still being prepared. */
  const requirePicture = () => {
    if (player.$status.get() !== 'unprepared') return true
    toast({ title: 'Not yet', description: 'There is no picture of this video yet. Notes belong to what one sees.' })
    return false
  }
  const clipOf = (id: string) => $clips.get().find(c => c.id === id)
  const clip = clipOf(lastPosition.clip ?? '')
  if (clip) player.load(clip, { frame: lastPosition.frame ?? 0, play: false })

  /** Into the words of a note. */
  function editNoteText(id: string) {
    $tab.set('notes')
    $newNoteId.set(undefined)
    setTimeout(() => $newNoteId.set(id))
  }
  function addNote() {
    const clip = $clip.get()
    if (!clip || isLoading() || !requirePicture()) return
    const { notes } = draftStore.$draft.get()
    player.pause()
    // A drawing has made a note here already: it only lacks its words.
    const emptyNote = notes.find(
      n => n.id === $currentNoteId.get() && n.video === clip.id && !n.text && player.frameOf(n) === player.$frame.get(),
    )
    if (emptyNote) return editNoteText(emptyNote.id)
    if (notes.length >= NOTES_PER_REVIEW) return
    const id = v7()
    draftStore.change(d => ({ ...d, notes: [...d.notes, { id, video: clip.id, ...player.notePosition(), kind, text: '' }] }))
    $tab.set('notes')
    $currentNoteId.set(id)
    $newNoteId.set(id)
  }
  /** Shows a moment of the review: that of a note, which is the current one then, or any other. */
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
  function openComparison(id: string | undefined) {
    if (isLoading()) return
    player.pause()
    lastComparison = id
    $comparing.set({ id })
  }

  return {
    ...{ draftStore, player, isLoading, requirePicture, $clips, $clip, $currentNoteId, $newNoteId, $tab, $dialog, $comparing },
    $clipId: computed($clip, clip => clip?.id ?? ''),
    $view: atom<Viewport>(fullViewport),
    /** The recording under way: what is drawn meanwhile is the voice's. */
    $stageRecorder: atom<StageRecorder | null>(null),
    ...{ addNote, editNoteText, goToMoment, selectClip, openComparison },
    nextNoteKind: () => kind,
    setNextNoteKind: (next: NoteKind) => {
      kind = next
    },
    /** Shows a note as the current one. */
    showNote(id: string) {
      $tab.set('notes')
      $currentNoteId.set(id)
    },
    /** Shows a clip, from a frame of it. */
    showClip(video: string, at: { frame: number; play: boolean }) {
      const target = clipOf(video)
      if (!target) return
      $comparing.set(undefined)
      $selected.set(video)
      player.load(target, at)
    },
    /** So many clips on. */
    selectAdjacentClip(by: 1 | -1) {
      const all = $clips.get()
      const next = all[all.findIndex(c => c.id === $clip.get()?.id) + by]
      if (next) selectClip(next)
    },
    /** The comparison of last time, or the clips to choose from. */
    reopenComparison() {
      const all = draftStore.$draft.get().comparisons
      openComparison(all?.find(c => c.id === lastComparison)?.id ?? all?.at(-1)?.id)
    },
    /** Shows a part of the review's other half, and leads to what one presses or writes in there first. */
    openSummaryAt(field: string) {
      $tab.set('summary')
      focusWhenRendered(field)
    },
    openDeliverDialog: () => isLoading() || $dialog.set('deliver'),
    /** `end` takes the stage from a voice that leads it. */
    onStageTaken(end: () => void) {
      releaseStage = end
    },
  }
}

/** The desk of this session for as long as the studio is open. */
export function useStudioStore(draftStore: DraftStore, folder: string, session: Session) {
  const [studio] = useState(() => createStudioStore(draftStore, folder, session))
  const { clips } = session
  useEffect(() => studio.$clips.set(clips), [studio, clips])
  return studio
}
