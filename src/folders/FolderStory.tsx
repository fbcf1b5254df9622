import type { EventSentences } from '../../modules/event-sentence-types.ts'
import type { Folder, StoryEvent } from '../../modules/folders/contract.ts'
import { folderEventSentences } from '../../modules/folders/event-sentences.ts'
import { paymentEventSentences } from '../../modules/payments/event-sentences.ts'
import { ratingEventSentences } from '../../modules/ratings/event-sentences.ts'
import { site } from '../site.ts'
import { cx } from '../ui/cx.ts'
import { RelativeTime } from '../ui/relative-time.tsx'
import type { FolderPageViewer } from './folder-page-urls-and-query.ts'
import { sessionOrFolderPath } from './SessionNav.tsx'

const words: Partial<EventSentences<{ type: string; data: object }>> = {
  ...folderEventSentences,
  ...paymentEventSentences,
  ...ratingEventSentences,
}

/** A sentence about an event; undefined if the event is not shown. `you` is the viewer's user id. */
const sentenceOf = ({ type, by, detail }: StoryEvent, you: string) =>
  words[type]?.story?.(by ? (by.id === you ? 'You' : by.name) : site.name, detail)

/** Types of events after which there is something to read in the session, so the sentence about the event links to the session. */
const LINKED_CHAPTERS = new Set(['FeedbackGiven', 'ClarificationAsked', 'ClarificationAnswered'])

/** The history of a folder as a timeline, oldest first. Feedback, questions and answers of other sessions link to their session. */
export function FolderStory({ folder, viewer, you }: { folder: Folder; viewer: FolderPageViewer; you: string }) {
  const elsewhere = ({ type, detail: { assignment } }: StoryEvent) =>
    LINKED_CHAPTERS.has(type) && assignment !== folder.session?.id && folder.sessions.some(s => s.id === assignment)
  const told = folder.story.flatMap(chapter => {
    const words = sentenceOf(chapter, you)
    return words ? [{ ...chapter, words }] : []
  })
  if (!told.length) return null
  return (
    <section aria-labelledby="story" className="rounded-card border border-line bg-paper p-4 sm:p-6">
      <h2 id="story" className="mb-4 text-18">
        History
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
                <a
                  href={sessionOrFolderPath(viewer, folder, String(chapter.detail.assignment))}
                  className="link -my-2.5 block py-2.5 wrap-anywhere"
                >
                  {chapter.words}
                </a>
              ) : (
                <span className="block wrap-anywhere">{chapter.words}</span>
              )}
              <span className="block text-13 text-ink-2">
                <RelativeTime at={chapter.at} />
              </span>
            </span>
          </li>
        ))}
      </ol>
    </section>
  )
}
