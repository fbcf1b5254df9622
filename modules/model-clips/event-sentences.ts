import { type EventSentences, textOrEmpty } from '../event-sentence-types.ts'
import type { ModelLibraryEvent } from './model-library.ts'

export const modelLibraryEventSentences: EventSentences<ModelLibraryEvent> = {
  ModelClipAdded: { audit: d => `added the model clip “${textOrEmpty(d.title)}”` },
  ModelClipRightsConfirmed: { audit: d => `confirmed about a model clip: “${textOrEmpty(d.statement)}”` },
  ModelClipDescribed: { audit: d => `described a model clip as “${textOrEmpty(d.title)}”` },
  ModelClipShown: { audit: () => 'showed a model clip in a review' },
  ModelClipRemoved: {
    audit: d => `deleted a model clip${d.everywhere === true ? ', also from delivered reviews' : ''}`,
  },
}
