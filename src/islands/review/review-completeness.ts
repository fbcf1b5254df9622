import type { Draft, Video } from '../../../modules/folders/contract.ts'
import { MAX_SESSION_TEXT_LENGTH } from '../../../modules/folders/policy.ts'
import { countWithNoun } from '../../../modules/format-cents-and-counts.ts'
import { isBeingPrepared } from '../../player/clip-preparation-status.ts'

export interface MissingReviewPart {
  /** Only `needed` blocks the delivery. The dialog highlights `expected` more than `welcome`, which is only a hint. */
  is: 'needed' | 'expected' | 'welcome'
  text: string
  /** Where to add the part: the id of a note or video, or `summary`, `goals`, `grades`, `technique` or `picture`. */
  place?: string
}

/** The message for a text that has reached `MAX_SESSION_TEXT_LENGTH`, otherwise undefined. */
export const textLimitMessage = (text: string) =>
  text.length >= MAX_SESSION_TEXT_LENGTH
    ? `This text has reached the limit of ${MAX_SESSION_TEXT_LENGTH} characters. Check that its end isn't cut off.`
    : undefined

/** Whether a note has neither text nor drawings nor a voice-over. */
export const isEmptyNote = (note: Draft['notes'][number]) => !note.text.trim() && !note.shapes?.length && note.voice === undefined

const hasDrawingOrVoice = ({ shapes, voice }: Pick<Draft['notes'][number], 'shapes' | 'voice'>) => !!shapes?.length || voice !== undefined

type ReviewedClip = Pick<Video, 'id' | 'rendition'>

/** Which videos the instructor cannot watch yet, or has not opened. A review cannot be delivered while no video can be watched. */
function findUnwatchedVideos(draft: Draft, clips: readonly ReviewedClip[], opened: readonly string[]): MissingReviewPart[] {
  const playable = clips.filter(clip => !clip.rendition?.unseen)
  if (playable.length && playable.every(isBeingPrepared)) {
    const what = playable.length === 1 ? 'The video is' : 'The videos are'
    return [
      { is: 'needed', text: `${what} still being prepared. You can deliver once you can watch ${playable.length === 1 ? 'it' : 'one'}.` },
    ]
  }
  const openedOrNoted = new Set([...opened, ...draft.notes.map(n => n.video)])
  return clips.flatMap((clip, i): MissingReviewPart[] => {
    if (isBeingPrepared(clip))
      return [
        { is: 'expected', text: `Video ${i + 1} is still being prepared. If you deliver now, nothing is charged for it.`, place: clip.id },
      ]
    return openedOrNoted.has(clip.id) ? [] : [{ is: 'expected', text: `You have not opened video ${i + 1} yet.`, place: clip.id }]
  })
}

/** What a review lacks, as sentences for the instructor. `opened`: ids of the videos that the instructor has opened. */
export function findMissingReviewParts(draft: Draft, clips: readonly ReviewedClip[], opened: readonly string[]): MissingReviewPart[] {
  const empty = draft.notes.filter(isEmptyNote)
  const missing: (MissingReviewPart | false)[] = [
    !draft.summary.trim() && { is: 'needed', text: 'The summary is empty. One or two sentences are enough.', place: 'summary' },
    empty.length > 0 && {
      is: 'needed',
      text:
        empty.length === 1 ? 'One note is empty. Write it or delete it.' : `${empty.length} notes are empty. Write them or delete them.`,
      place: empty[0]!.id,
    },
    ...findUnwatchedVideos(draft, clips, opened),
    !draft.notes.some(hasDrawingOrVoice) &&
      !draft.voices?.length &&
      !draft.comparisons?.some(c => c.sides.some(hasDrawingOrVoice)) && {
        is: 'expected',
        text: 'There is no drawing or voice-over. A line on the right frame can say more than a page.',
        place: 'picture',
      },
    !draft.goals?.some(g => g.text.trim()) && {
      is: 'expected',
      text: 'There is no goal for next time. One is enough.',
      place: 'goals',
    },
    draft.checkpoints?.some(c => c.by === 'sound') === true && {
      is: 'welcome',
      text: 'Contact was detected by sound and is not confirmed, so it is left out.',
      place: 'technique',
    },
    !draft.grades.length && { is: 'welcome', text: 'There are no grades. The player’s progress chart needs them.', place: 'grades' },
  ]
  return missing.filter(m => m !== false)
}

/** The contents of a review in words: '2 notes, 1 voice-over and your summary'. */
export function describeReviewContents({ notes, voices, comparisons, checkpoints, goals, grades }: Draft): string {
  const parts: [number | undefined, string][] = [
    [notes.length, 'note'],
    [notes.reduce((sum, n) => sum + (n.shapes?.length ?? 0), 0), 'drawing'],
    [voices?.length, 'voice-over'],
    [comparisons?.length, 'comparison'],
    [checkpoints?.filter(c => c.by === 'hand').length, 'position'],
    [goals?.filter(g => g.text.trim()).length, 'goal'],
    [grades.length, 'grade'],
  ]
  const counts = parts.flatMap(([n, noun]) => (n ? [countWithNoun(n, noun)] : []))
  return counts.length ? `${counts.join(', ')} and your summary` : 'Your summary'
}
