import { atom, computed } from 'nanostores'
import { v7 } from 'uuid'
import { MAX_NOTES_PER_REVIEW } from '../../../../modules/folders/policy.ts'
import type { Voice } from '../../../../modules/reviews/contract.ts'
import { MAX_VOICES_PER_REVIEW } from '../../../../modules/reviews/policy.ts'
import { fetchTimeline } from '../../../player/clip-source.ts'
import { readWithRenewedUrls } from '../../../player/read-with-renewed-urls.ts'
import { toast } from '../../../ui/toast.ts'
import type { DraftVoiceOvers } from '../../../voice/draft-voice-overs.ts'
import type { VoiceReplay } from '../../../voice/voice-over-playback.ts'
import { drawingsOfPart, findVoiceParts, type VoicePart } from '../../../voice/voice-parts.ts'
import { DEFAULT_NOTE_KIND, type StudioStore } from '../studio-store.ts'

/** A part of a voice-over with the name that the instructor gave it, and the retake that replaces it, if any. */
export interface NamedVoicePart extends VoicePart {
  name: string
  retake?: Voice
}

/** The part that a retake replaces: it begins `from` ms after the start of the voice-over `voiceId`. */
export interface VoicePartToRetake {
  voiceId: string
  from: number
}

interface Division {
  voice: Voice
  parts: readonly NamedVoicePart[]
  /** Ids of all retakes, including those that no part uses. */
  retakeIds: readonly string[]
  /** Whether the instructor has changed the parts that were suggested. */
  isChanged: boolean
}

const NO_PARTS: readonly NamedVoicePart[] = []
const NO_IDS: readonly string[] = []

export type VoiceOverSplitter = ReturnType<typeof createVoiceOverSplitter>

/** Divides one voice-over at a time into parts, which become notes. */
export function createVoiceOverSplitter(studio: StudioStore, voices: DraftVoiceOvers, replay: VoiceReplay) {
  const { autosavedDraft, player } = studio
  const $division = atom<Division | undefined>(undefined)

  function begin(voice: Voice) {
    end()
    const parts = findVoiceParts(voice).map(part => ({ ...part, name: '' }))
    $division.set({ voice, parts, retakeIds: [], isChanged: false })
  }
  /** Ends the division. Keeps the retakes of the parts that are used, and deletes all others. */
  function end(used: readonly NamedVoicePart[] = []) {
    const usedIds = used.map(part => part.retake?.id)
    const unusedIds = ($division.get()?.retakeIds ?? []).filter(id => !usedIds.includes(id))
    $division.set(undefined)
    for (const id of unusedIds) void voices.deleteVoice(id)
  }
  /** Ends a division that the instructor has not changed yet. If there is a changed one, a toast says so and this returns false. */
  function endUnchanged(): boolean {
    if ($division.get()?.isChanged) {
      toast({ title: 'Not yet', description: 'You are splitting a voice-over. Turn the parts into notes first, or keep it as one.' })
      return false
    }
    end()
    return true
  }

  /** Returns the position of a note on a frame; `at` is in ms, or 0 if the clip is no longer in the session or has no frame table. */
  async function positionOf({ video, frame }: { video: string; frame: number }) {
    if (video === studio.$clipId.get()) return { at: Math.ceil(player.frameStart(frame) * 1000), frame }
    const clip = studio.$clips.get().find(c => c.id === video)
    const { signal } = new AbortController()
    const frames =
      clip &&
      (await readWithRenewedUrls(
        clip,
        () => studio.renewClip(clip.id),
        from => fetchTimeline(from, signal),
      ))
    return { at: frames ? frames.milliseconds(frame) : 0, frame }
  }

  return {
    /** The voice-over that is being divided, or undefined. */
    $voice: computed($division, division => division?.voice),
    $parts: computed($division, division => division?.parts ?? NO_PARTS),
    /** Ids of the retakes of parts, which belong to no note until the parts become notes. */
    $retakeIds: computed($division, division => division?.retakeIds ?? NO_IDS),
    end,
    endUnchanged,
    /** Begins to divide a voice-over, unless another one is being divided and the instructor has changed its parts. */
    divide(voice: Voice) {
      if ($division.get()?.voice.id !== voice.id && endUnchanged()) begin(voice)
    },
    /** If the instructor talked while the video played and stopped, offers to turn each stop into a note. */
    offer(id: string) {
      if ($division.get()?.isChanged) return
      const voice = autosavedDraft.$draft.get().voices?.find(v => v.id === id)
      const isTalkedThrough = voice?.actions.some(([, what]) => what === 'play')
      if (voice && isTalkedThrough && findVoiceParts(voice).length > 1) begin(voice)
    },
    changeParts(update: (parts: readonly NamedVoicePart[]) => readonly NamedVoicePart[]) {
      const division = $division.get()
      if (division) $division.set({ ...division, parts: update(division.parts), isChanged: true })
    },
    /** Gives a part its retake, or deletes the retake if the part's voice-over is no longer being divided. */
    addRetake({ voiceId, from }: VoicePartToRetake, retake: Voice) {
      const division = $division.get()
      if (!division || division.voice.id !== voiceId) {
        void voices.deleteVoice(retake.id)
        return
      }
      const parts = division.parts.map(part => (part.from === from ? { ...part, retake } : part))
      $division.set({ ...division, parts, retakeIds: [...division.retakeIds, retake.id], isChanged: true })
    },
    /**
     * Replaces the voice-over with its parts: the first gets the voice-over's note, if it has one, and the others get new notes. If a
     * voice-over of the whole review has one part, that part stays without a note.
     * @returns the reason if the review would have too many notes or voice-overs, otherwise undefined
     */
    async createNotes(): Promise<string | undefined> {
      const division = $division.get()
      if (!division) return undefined
      const { voice, parts } = division
      const { notes, voices: voiceOvers = [] } = autosavedDraft.$draft.get()
      const ownNote = notes.find(n => n.voice === voice.id)
      const isWhole = !ownNote && parts.length === 1
      if (voiceOvers.length - 1 + parts.filter(part => !part.retake).length > MAX_VOICES_PER_REVIEW)
        return `A review has at most ${MAX_VOICES_PER_REVIEW} voice-overs. Merge some parts.`
      const newNotes = isWhole ? 0 : parts.length - (ownNote ? 1 : 0)
      if (notes.length + newNotes > MAX_NOTES_PER_REVIEW) return `A review has at most ${MAX_NOTES_PER_REVIEW} notes. Merge some parts.`
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
      if ($division.get()?.voice.id === voice.id) end(parts)
      const first = partsWithNotes[0]?.note
      if (first) studio.showNote(first.id)
      return undefined
    },
  }
}
