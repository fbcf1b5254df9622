import type { Draft } from '../../../modules/folders/contract.ts'
import { TEXT_LENGTH } from '../../../modules/folders/policy.ts'
import { pluralized } from '../../../modules/words.ts'

export interface MissingPart {
  /** `needed`: without it nothing can be delivered. `expected`: an instructor says that it may be missing. `welcome`: worth a thought. */
  is: 'needed' | 'expected' | 'welcome'
  text: string
  /** Where to go: a note or a video by its id, the summary, the goals, the grades, the technique, or the picture, to draw on it. */
  place?: string
}

/** What is said beside a text that takes no more. */
export const textLimitMessage = (text: string) =>
  text.length >= TEXT_LENGTH ? `That is all that fits: ${TEXT_LENGTH} characters. Check how it ends.` : undefined

/** Neither words nor a drawing nor a voice. */
export const isEmptyNote = (note: Draft['notes'][number]) => !note.text.trim() && !note.shapes?.length && note.voice === undefined

const hasDrawingOrVoice = ({ shapes, voice }: Pick<Draft['notes'][number], 'shapes' | 'voice'>) => !!shapes?.length || voice !== undefined

/** What a review still lacks, as the instructor reads it before delivering. `opened`: ids of videos that were looked at. */
export function findMissingParts(draft: Draft, clips: readonly { id: string }[], opened: readonly string[]): MissingPart[] {
  const empty = draft.notes.filter(isEmptyNote)
  const seen = new Set([...opened, ...draft.notes.map(n => n.video)])
  const unopened = clips.flatMap((clip, i): MissingPart[] =>
    seen.has(clip.id) ? [] : [{ is: 'expected', text: `You have not opened video ${i + 1} yet.`, place: clip.id }],
  )
  const found: (MissingPart | false)[] = [
    !draft.summary.trim() && { is: 'needed', text: 'The summary is empty. One or two sentences are enough.', place: 'summary' },
    empty.length > 0 && {
      is: 'needed',
      text:
        empty.length === 1
          ? 'One note has no words yet. Write it or delete it.'
          : `${empty.length} notes have no words yet. Write them or delete them.`,
      place: empty[0]!.id,
    },
    ...unopened,
    !draft.notes.some(hasDrawingOrVoice) &&
      !draft.voices?.length &&
      !draft.comparisons?.some(c => c.sides.some(hasDrawingOrVoice)) && {
        is: 'expected',
        text: 'Nothing is drawn or said aloud. A line on the frame you mean says more than a page.',
        place: 'picture',
      },
    !draft.goals?.some(g => g.text.trim()) && {
      is: 'expected',
      text: 'There is no goal for next time. One is plenty.',
      place: 'goals',
    },
    draft.checkpoints?.some(c => c.by === 'sound') === true && {
      is: 'welcome',
      text: 'Contact was found by sound and nobody has confirmed it: it is left out.',
      place: 'technique',
    },
    !draft.grades.length && { is: 'welcome', text: 'There are no grades. They make the progress chart.', place: 'grades' },
  ]
  return found.filter(m => m !== false)
}

/** What a review holds, in words: `2 notes, 1 voice-over and your summary`. What there is none of is not counted. */
export function describeReview({ notes, voices, comparisons, checkpoints, goals, grades }: Draft): string {
  const parts: [number | undefined, string][] = [
    [notes.length, 'note'],
    [notes.reduce((sum, n) => sum + (n.shapes?.length ?? 0), 0), 'drawing'],
    [voices?.length, 'voice-over'],
    [comparisons?.length, 'comparison'],
    [checkpoints?.filter(c => c.by === 'hand').length, 'position'],
    [goals?.filter(g => g.text.trim()).length, 'goal'],
    [grades.length, 'grade'],
  ]
  const said = parts.flatMap(([n, noun]) => (n ? [pluralized(n, noun)] : []))
  return said.length ? `${said.join(', ')} and your summary` : 'Your summary'
}
