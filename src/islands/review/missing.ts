import type { Draft } from '../../../modules/folders/contract.ts'
import { TEXT_LENGTH } from '../../../modules/folders/policy.ts'

export interface Missing {
  /** Without it nothing can be delivered; otherwise it is only worth a thought. */
  needed: boolean
  text: string
  /** Where to go: a note's id, or the summary. */
  place?: string
}

/** What is said beside a text that takes no more. */
export const full = (text: string) =>
  text.length >= TEXT_LENGTH ? `That is all that fits: ${TEXT_LENGTH} characters. Check how it ends.` : undefined

/** Neither words, nor a drawing, nor a voice. */
export const saysNothing = (note: Draft['notes'][number]) => !note.text.trim() && !note.shapes?.length && note.voice === undefined

/** What a review still lacks, as the instructor reads it before delivering. */
export function missing(draft: Draft): Missing[] {
  const empty = draft.notes.filter(saysNothing)
  const found: (Missing | false)[] = [
    !draft.summary.trim() && { needed: true, text: 'The summary is empty. One or two sentences are enough.', place: 'summary' },
    empty.length > 0 && {
      needed: true,
      text:
        empty.length === 1
          ? 'One note has no words yet. Write it or delete it.'
          : `${empty.length} notes have no words yet. Write them or delete them.`,
      place: empty[0]!.id,
    },
    !draft.notes.length && { needed: false, text: 'There are no notes on the video. Players love to see the moment you mean.' },
    !draft.grades.length && { needed: false, text: 'There are no grades. They make the progress chart.' },
  ]
  return found.filter(m => m !== false)
}
