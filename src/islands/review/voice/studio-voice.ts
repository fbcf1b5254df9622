import { atom } from 'nanostores'
import { useEffect, useState } from 'react'
import { v7 } from 'uuid'
import type { Draft, Session } from '../../../../modules/folders/contract.ts'
import { MAX_NOTES_PER_REVIEW } from '../../../../modules/folders/policy.ts'
import type { Shape, Voice } from '../../../../modules/reviews/contract.ts'
import { MAX_VOICES_PER_REVIEW } from '../../../../modules/reviews/policy.ts'
import { useIsDraftLoading } from '../../../draft/draft-hooks.ts'
import type { ShapeEditor } from '../../../drawing/shape-editor.ts'
import { fetchTimeline } from '../../../player/clip-source.ts'
import { toast } from '../../../ui/toast.ts'
import { createDraftVoiceOvers } from '../../../voice/draft-voice-overs.ts'
import type { StoredRecording } from '../../../voice/recording-storage.ts'
import { createStageRecorder } from '../../../voice/stage-recorder.ts'
import { drawingsOfPart, findVoiceParts, type VoicePart } from '../../../voice/voice-parts.ts'
import { createVoiceRecorder } from '../../../voice/voice-recorder.ts'
import { createVoiceReplay } from '../../../voice/voice-replay.ts'
import { DEFAULT_NOTE_KIND, type StudioStore, showNoteLimitToast } from '../studio-store.ts'

type Note = Draft['notes'][number]

/** A part of a voice-over with the name that the instructor gave it, and the retake that replaces it, if any. */
export interface NamedVoicePart extends VoicePart {
  name: string
  retake?: Voice
}

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
  /** The voice-over that is being divided into parts. */
  const $voiceToDivide = atom<Voice | undefined>(undefined)
  /** Ids of the retakes of parts, while their voice-over is being divided. */
  const $retakeIds = atom<readonly string[]>([])
  /** Ids of the retakes that `endDivision` keeps; empty at all other times. */
  let usedRetakeIds: readonly string[] = []
  /** Ends the division of a voice-over. Keeps the retakes of the parts that are used, and deletes all others. */
  function endDivision(used: readonly NamedVoicePart[] = []) {
    usedRetakeIds = used.flatMap(part => part.retake?.id ?? [])
    $voiceToDivide.set(undefined)
    usedRetakeIds = []
  }
  $voiceToDivide.listen(() => {
    const unused = $retakeIds.get().filter(id => !usedRetakeIds.includes(id))
    $retakeIds.set([])
    for (const id of unused) void voices.deleteVoice(id)
  })
  studio.$dialog.listen(async dialog => {
    if (dialog !== 'deliver') return
    // A voice-over that is still being recorded joins the draft first. Otherwise it would be missing in the delivered review.
    if (recorder.$recording.get().is !== 'idle') {
      studio.$dialog.set(undefined)
      await recorder.stop()
      if (!studio.$dialog.get()) studio.$dialog.set('deliver')
      return
    }
    // While a retake belongs to no note, a delivered review would have both takes, so the delivery has to wait.
    if (!$retakeIds.get().length) return
    studio.$dialog.set(undefined)
    toast({ title: 'Not yet', description: 'You recorded a part again. Turn the parts into notes first, or keep the voice-over as one.' })
  })
  const voices = createDraftVoiceOvers({ folder, session: session().id, autosavedDraft, publishedVoices: () => session().voices })
  const replay = createVoiceReplay({ player, $view, onClip: studio.showClip, sound: voices.sound })
  /** Id of the voice-over that the recording in progress will replace. */
  let replacedId: string | undefined
  /** Receives the recording in progress if it is the retake of a part. */
  let onRetake: ((retake: Voice) => void) | undefined

  const recorder = createVoiceRecorder(voices.storage, async recording => {
    // The next recording may begin, and replace both, while this one is added.
    const [replaced, receiveRetake] = [replacedId, onRetake]
    const added = await voices.addToDraft(recording, replaced)
    const retake = added && autosavedDraft.$draft.get().voices?.find(v => v.id === recording.voice.id)
    if (retake && receiveRetake) {
      $retakeIds.set([...$retakeIds.get(), retake.id])
      return receiveRetake(retake)
    }
    if (added && recording.note) studio.showNote(recording.note.id)
    if (added && !replaced) offerParts(recording.voice.id)
    else if (!added) toast({ title: 'Nothing was recorded', description: 'There was no sound. Check your microphone and try again.' })
  })

  /** If the instructor talked while the video played and stopped, offers to turn each stop into a note. */
  function offerParts(id: string) {
    const voice = autosavedDraft.$draft.get().voices?.find(v => v.id === id)
    const isTalkedThrough = voice?.actions.some(([, what]) => what === 'play')
    if (voice && isTalkedThrough && findVoiceParts(voice).length > 1) $voiceToDivide.set(voice)
  }

  /**
   * The current note if it is on this frame and has no voice-over, otherwise a new one; undefined if the review has its maximum of notes.
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
    { replacing, retakeTo }: { replacing?: string; retakeTo?: (retake: Voice) => void } = {},
  ) {
    if (studio.isLoading() || !studio.requirePicture()) return
    if (!replacing && (autosavedDraft.$draft.get().voices ?? []).length >= MAX_VOICES_PER_REVIEW) {
      toast({ title: 'Limit reached', description: `A review has at most ${MAX_VOICES_PER_REVIEW} voice-overs. Delete one first.` })
      return
    }
    replacedId = replacing
    onRetake = retakeTo
    if (!retakeTo) $voiceToDivide.set(undefined)
    replay.close()
    void recorder.start({
      id: v7(),
      session: session().id,
      stage: clock => {
        const note = noteOf()
        player.setMuted(true)
        const stageRecorder = createStageRecorder({ player, $view, $clip: studio.$clipId, shapeEditor }, clock)
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

  /** The position at which a note on this frame is pinned. */
  async function positionOf({ video, frame }: { video: string; frame: number }) {
    if (video === studio.$clipId.get()) return { at: Math.ceil(player.frameStart(frame) * 1000), frame }
    const clip = studio.$clips.get().find(c => c.id === video)
    const frames = clip && (await fetchTimeline(clip, new AbortController().signal))
    return { at: frames ? frames.milliseconds(frame) : 0, frame }
  }

  const noteOf = (id: string) => autosavedDraft.$draft.get().notes.find(n => n.voice === id)

  return {
    autosavedDraft,
    recorder,
    voices,
    replay,
    $voiceShapes,
    $voiceToDivide,
    $retakeIds,
    endDivision,
    /** Starts a recording at the current frame, or stops the one in progress. */
    toggleRecording() {
      if (recorder.$recording.get().is !== 'idle') void recorder.stop()
      else startRecording(noteForVoiceOver)
    },
    /** Records a voice-over again from the same frame; the old one stays until the new one is finished. */
    recordAgain(voice: Voice) {
      studio.showClip(voice.video, { frame: voice.frame, play: false })
      startRecording(() => noteOf(voice.id), { replacing: voice.id })
    },
    /** Records a retake of a part from the part's frame, before the part becomes a note. `onRecorded` gets the retake. */
    recordPartAgain({ video, frame }: VoicePart, onRecorded: (retake: Voice) => void) {
      studio.showClip(video, { frame, play: false })
      startRecording(() => undefined, { retakeTo: onRecorded })
    },
    /**
     * Replaces a voice-over with its parts: the first keeps the existing note, the others get new notes. If a voice-over of the whole
     * review has one part, that part stays without a note.
     * @returns the reason if the review cannot hold that many notes or voice-overs, otherwise undefined
     */
    async replaceByParts(voice: Voice, parts: readonly NamedVoicePart[]): Promise<string | undefined> {
      const { notes, voices: voiceOvers = [] } = autosavedDraft.$draft.get()
      const ownNote = noteOf(voice.id)
      const isWhole = !ownNote && parts.length === 1
      if (voiceOvers.length - 1 + parts.filter(part => !part.retake).length > MAX_VOICES_PER_REVIEW)
        return `A review has at most ${MAX_VOICES_PER_REVIEW} voice-overs. Merge some parts.`
      if (notes.length + parts.length - (ownNote ? 1 : 0) > MAX_NOTES_PER_REVIEW)
        return `A review has at most ${MAX_NOTES_PER_REVIEW} notes. Merge some parts.`
      replay.close()
      const partsWithNotes = await Promise.all(
        parts.map(async (part, i) => {
          const { from, to, name, retake } = part
          if (isWhole) return { from, to, retake, note: undefined, name, drawings: [] }
          const drawn = retake ? drawingsOfPart(retake, { ...part, from: 0, to: retake.milliseconds }) : drawingsOfPart(voice, part)
          const drawings = drawn.map(shape => ({ ...shape, id: v7() }))
          const base = (i === 0 && ownNote) || {
            id: v7(),
            video: part.video,
            ...(await positionOf(part)),
            kind: DEFAULT_NOTE_KIND,
            text: '',
          }
          const { voice: _, ...note } = base
          return { from, to, retake, note, name, drawings }
        }),
      )
      await voices.replaceByParts(voice, partsWithNotes)
      endDivision(parts)
      const first = partsWithNotes[0]?.note
      if (first) studio.showNote(first.id)
      return undefined
    },
    /** Moves a note's voice-over to the whole review. */
    detachFromNote: (voice: Voice) => voices.pin(voice, undefined),
    /** Attaches a voice-over to a note at the current frame. */
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
      if ($voiceToDivide.get()?.id === id) $voiceToDivide.set(undefined)
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

/** Records, plays, stores and uploads voice-overs in the studio. */
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
