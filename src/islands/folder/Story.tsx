import type { Chapter, Folder } from '../../../modules/folders/contract.ts'
import { site } from '../../site.ts'
import { cx } from '../../ui/cx.ts'
import { money } from '../../ui/money.tsx'
import { Time } from '../../ui/time.tsx'
import { pathOf } from './Sessions.tsx'

const quoted = (value: unknown) => (typeof value === 'string' ? value : '')
const paid = ({ cents }: Chapter['detail']) => (typeof cents === 'number' ? ` ${money(cents)}` : '')

/** One sentence for what happened; nothing for what is not worth telling. `you` is the reader's id. */
function sentenceOf({ type, by, detail }: Chapter, you: string): string | undefined {
  const who = by ? (by.id === you ? 'You' : by.name) : site.name
  switch (type) {
    case 'FolderCreated':
      return `${who} created the folder`
    case 'VideoAdded':
      return `${who} added ${quoted(detail.name) || 'a video'}`
    case 'VideoRemoved':
      return `${who} removed ${quoted(detail.name) || 'a video'}`
    case 'FolderAssigned':
      return `${who} assigned it${quoted(detail.instructor) && ` to ${detail.instructor}`}`
    case 'AssignmentWithdrawn':
      return `${who} took it back`
    case 'AssignmentDeclined':
      return `${who} could not take it${quoted(detail.reason) && `: “${detail.reason}”`}`
    case 'ReviewStarted':
      return `${who} started the review`
    case 'FeedbackGiven':
      return `${who} delivered the feedback`
    case 'ClarificationAsked':
      return `${who} asked a question`
    case 'ClarificationAnswered':
      return `${who} answered the question`
    case 'PaymentFailed':
      return detail.reason === 'authentication-needed' ? 'The bank asked to confirm a payment' : 'A payment did not go through'
    case 'PaymentSucceeded':
      return `${who === 'You' ? 'You paid' : 'Paid'}${paid(detail)}`
    case 'PaymentRefunded':
      return `Refunded${paid(detail)}`
    case 'FolderArchived':
      return `${who} archived the folder`
    case 'FolderRestored':
      return `${who} restored the folder`
    default:
      return undefined
  }
}

/** Chapters that leave something to read in their session. */
const SAID = new Set(['FeedbackGiven', 'ClarificationAsked', 'ClarificationAnswered'])

/** What happened to the folder, from its first day, down a chalk line; what was said in another session leads there. */
export function Story({ folder, reader, you }: { folder: Folder; reader: 'player' | 'instructor'; you: string }) {
  const elsewhere = ({ type, detail: { assignment } }: Chapter) =>
    SAID.has(type) && assignment !== folder.session?.id && folder.sessions.some(s => s.id === assignment)
  const told = folder.story.flatMap(chapter => {
    const words = sentenceOf(chapter, you)
    return words ? [{ ...chapter, words }] : []
  })
  if (!told.length) return null
  return (
    <section aria-labelledby="story" className="rounded-card border border-line bg-paper p-4 sm:p-6">
      <h2 id="story" className="mb-4 text-18">
        Story
      </h2>
      <ol>
        {told.map((chapter, i) => (
          <li key={`${chapter.at} ${chapter.type} ${chapter.words}`} className="relative flex gap-4 pb-4 last:pb-0">
            {i < told.length - 1 && <span aria-hidden="true" className="absolute top-4 bottom-0 left-[5px] w-px bg-line" />}
            <span
              aria-hidden="true"
              className={cx(
                'mt-1.5 size-2.5 shrink-0 rotate-45 rounded-[2px] border',
                i === told.length - 1 ? 'border-field bg-field' : 'border-edge bg-paper',
              )}
            />
            <span className="min-w-0">
              {elsewhere(chapter) ? (
                <a href={pathOf(reader, folder, String(chapter.detail.assignment))} className="link -my-2.5 block py-2.5 wrap-anywhere">
                  {chapter.words}
                </a>
              ) : (
                <span className="block wrap-anywhere">{chapter.words}</span>
              )}
              <span className="block text-13 text-ink-2">
                <Time at={chapter.at} />
              </span>
            </span>
          </li>
        ))}
      </ol>
    </section>
  )
}
