import { atom } from 'nanostores'
import { useEffect, useState } from 'react'
import { v7 } from 'uuid'
import type { Draft, Session } from '../../../../modules/folders/contract.ts'
import { MAX_NOTES_PER_REVIEW } from '../../../../modules/folders/policy.ts'
import type { Shape, Voice } from '../../../../modules/reviews/contract.ts'
import { MAX_VOICES_PER_REVIEW } from '../../../../modules/reviews/policy.ts'
import { useIsDraftLoading } from '../../../draft/draft-selector-hooks.ts'
import type { ShapeEditor } from '../../../drawing/shape-editor.ts'
import { toast } from '../../../ui/toast.ts'
import { createDraftVoiceOvers } from '../../../voice/draft-voice-overs.ts'
import type { StoredRecording } from '../../../voice/recording-storage.ts'
import { createStageActionRecorder } from '../../../voice/stage-action-recorder.ts'
import { createVoiceReplay } from '../../../voice/voice-over-playback.ts'
import { createVoiceRecorder } from '../../../voice/voice-recorder.ts'
import { DEFAULT_NOTE_KIND, type StudioStore, showNoteLimitToast } from '../studio-store.ts'
import { createVoiceOverSplitter, type NamedVoicePart, type VoicePartToRetake } from './split-voice-over-into-notes.ts'

type Note = Draft['notes'][number]

interface StudioVoiceOptions {
  folder: string
  /** Returns the session as last fetched. */
  session: () => Session
  shapeEditor: ShapeEditor
}

export type StudioVoice = ReturnType<typeof createStudioVoice>

export function createStudioVoice(studio: StudioStore, { folder, session, shapeEditor }: StudioVoiceOptions) {
  const { autosavedDraft, player, $view, $stageRecorder } = studio
  /** Shapes of the voice-over that is being recorded or played. */
  const $voiceShapes = atom<readonly Shape[]>([])
  studio.$dialog.listen(async dialog => {
    if (dialog !== 'deliver') return
    // A recording that is still in progress is stopped first, which adds it to the draft. Otherwise, the delivered review would lack it.
    if (recorder.$recording.get().is !== 'idle') {
      studio.$dialog.set(undefined)
      await recorder.stop()
      if (!studio.$dialog.get()) studio.$dialog.set('deliver')
      return
    }
    // Until the parts of a voice-over become notes, the draft contains both the retake of a part and the original take. A review delivered
    // now would contain both.
    if (!division.$retakeIds.get().length) return
    studio.$dialog.set(undefined)
    toast({ title: 'Not yet', description: 'You recorded a part again. Turn the parts into notes first, or keep the voice-over as one.' })
  })
  const voices = createDraftVoiceOvers({ folder, session: session().id, autosavedDraft, publishedVoices: () => session().voices })
  const replay = createVoiceReplay({ player, $view, onClip: studio.showClip, sound: voices.sound })
  const division = createVoiceOverSplitter(studio, voices, replay)
  /** Id of the voice-over that the recording in progress will replace. */
  let replacedId: string | undefined
  /** The part that the recording in progress is a retake of. */
  let retakenPart: VoicePartToRetake | undefined

  const recorder = createVoiceRecorder(voices.storage, async recording => {
    // Read first, because both may change while the recording is added.
    const [replaced, part] = [replacedId, retakenPart]
    const added = await voices.addToDraft(recording, replaced)
    const retake = added && autosavedDraft.$draft.get().voices?.find(v => v.id === recording.voice.id)
    if (retake && part) return division.addRetake(part, retake)
    if (added && recording.note) studio.showNote(recording.note.id)
    if (added && !replaced) division.offer(recording.voice.id)
    else if (!added) toast({ title: 'Nothing was recorded', description: 'There was no sound. Check your microphone and try again.' })
  })

  /**
   * The current note if it covers the current frame and has no voice-over, otherwise a new note; undefined if no clip is shown or the
   * review cannot have more notes.
   */
  function noteForVoiceOver(): Note | undefined {
    const [clip, current] = [studio.$clip.get(), studio.$currentNoteId.get()]
    const { notes } = autosavedDraft.$draft.get()
    const frame = player.$frame.get()
    const note = notes.find(n => n.id === current && n.video === clip?.id && n.voice === undefined)
    if (note && frame >= player.frameOf(note) && frame <= (note.until ?? player.frameOf(note))) return note
    if (!clip || notes.length >= MAX_NOTES_PER_REVIEW) return undefined
    return { id: v7(), video: clip.id, ...player.notePosition(), kind: DEFAULT_NOTE_KIND, text: '' }
  }

  function startRecording(
    noteOf: () => Note | undefined,
    { replacing, retakeOf }: { replacing?: string; retakeOf?: VoicePartToRetake } = {},
  ) {
    if (studio.isLoading() || !studio.requirePicture()) return
    if (!replacing && (autosavedDraft.$draft.get().voices ?? []).length >= MAX_VOICES_PER_REVIEW) {
      toast({ title: 'Limit reached', description: `A review has at most ${MAX_VOICES_PER_REVIEW} voice-overs. Delete one first.` })
      return
    }
    replacedId = replacing
    retakenPart = retakeOf
    replay.close()
    void recorder.start({
      id: v7(),
      session: session().id,
      stage: clock => {
        const note = noteOf()
        player.setMuted(true)
        const stageRecorder = createStageActionRecorder({ player, $view, $clip: studio.$clipId, shapeEditor }, clock)
        $stageRecorder.set(stageRecorder)
        return {
          track: stageRecorder.track,
          note,
          shapes: stageRecorder.shapes,
          stop() {
            stageRecorder.stop()
            $stageRecorder.set(null)
            player.setMuted(false)
          },
        }
      },
    })
  }

  const noteOf = (id: string) => autosavedDraft.$draft.get().notes.find(n => n.voice === id)

  return {
    autosavedDraft,
    recorder,
    voices,
    replay,
    $voiceShapes,
    division,
    /** Starts a recording at the current frame, or stops the one in progress. */
    toggleRecording() {
      if (recorder.$recording.get().is !== 'idle') void recorder.stop()
      else if (division.endUnchanged()) startRecording(noteForVoiceOver)
    },
    /** Records a voice-over again from the same frame; the old one stays until the new one is finished. */
    recordAgain(voice: Voice) {
      if (!division.endUnchanged()) return
      studio.showClip(voice.video, { frame: voice.frame, play: false })
      startRecording(() => noteOf(voice.id), { replacing: voice.id })
    },
    /** Records a retake of a part that is not a note yet. The recording starts at the part's frame. */
    recordPartAgain({ video, frame, from }: NamedVoicePart) {
      const voiceId = division.$voice.get()?.id
      if (voiceId === undefined) return
      studio.showClip(video, { frame, play: false })
      startRecording(() => undefined, { retakeOf: { voiceId, from } })
    },
    /** Detaches a voice-over from its note, so that it belongs to the whole review. */
    detachFromNote: (voice: Voice) => voices.pin(voice, undefined),
    /** Attaches a voice-over to the current note or a new one (`noteForVoiceOver`), and shows that note. */
    pinToFrame(voice: Voice) {
      const note = noteForVoiceOver()
      if (!note) {
        if (studio.$clip.get()) showNoteLimitToast()
        return
      }
      voices.pin(voice, note)
      studio.showNote(note.id)
    },
    async deleteVoice(id: string) {
      if (replay.$voice.get()?.id === id) replay.close()
      if (division.$voice.get()?.id === id) division.end()
      await voices.deleteVoice(id)
    },
    async recover(recording: StoredRecording) {
      const note = recording.note && (autosavedDraft.$draft.get().notes.find(n => n.id === recording.note!.id) ?? recording.note)
      if (!(await voices.addToDraft({ ...recording, note })))
        toast({ title: 'Nothing could be recovered', description: 'The recording stopped before there was any sound.' })
      else if (note) studio.showNote(note.id)
    },
  }
}

/** Lets the instructor record and play voice-overs, and stores and uploads them. Recording and playback end when the studio unmounts. */
export function useStudioVoice(studio: StudioStore, options: StudioVoiceOptions) {
  const [studioVoice] = useState(() => createStudioVoice(studio, options))
  const loading = useIsDraftLoading(studio.autosavedDraft)
  const { $stageRecorder, $clipId } = studio
  const { $voiceShapes, recorder, replay, voices } = studioVoice

  useEffect(() => {
    if (loading) return
    const end = voices.retryWhenOnline()
    void voices.load()
    return end
  }, [loading, voices])
  useEffect(() => {
    const show = () => $voiceShapes.set($stageRecorder.get()?.shapesOn($clipId.get()) ?? replay.$shapes.get())
    let unsubscribeDrawn = () => {}
    const unsubscribes = [
      $stageRecorder.subscribe(stageRecorder => {
        unsubscribeDrawn()
        unsubscribeDrawn = stageRecorder?.$drawn.listen(show) ?? (() => {})
        show()
      }),
      $clipId.listen(show),
      replay.$shapes.listen(show),
    ]
    return () => {
      unsubscribeDrawn()
      for (const unsubscribe of unsubscribes) unsubscribe()
    }
  }, [$stageRecorder, $clipId, $voiceShapes, replay])
  useEffect(() => {
    const flushRecording = () => recorder.flush()
    addEventListener('pagehide', flushRecording)
    document.addEventListener('visibilitychange', flushRecording)
    return () => {
      removeEventListener('pagehide', flushRecording)
      document.removeEventListener('visibilitychange', flushRecording)
      void recorder.stop()
      replay.close()
    }
  }, [recorder, replay])
  return studioVoice
}
