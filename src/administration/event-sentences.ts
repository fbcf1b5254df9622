import { adminInvitationEventSentences } from '../../modules/accounts/event-sentences.ts'
import type { AdminEventLogEntry } from '../../modules/audit/contract.ts'
import { consentEventSentences } from '../../modules/consent/event-sentences.ts'
import type { EventSentences } from '../../modules/event-sentence-types.ts'
import { folderEventSentences } from '../../modules/folders/event-sentences.ts'
import { modelLibraryEventSentences } from '../../modules/model-clips/event-sentences.ts'
import { paymentEventSentences } from '../../modules/payments/event-sentences.ts'
import { accountEventSentences } from '../../modules/privacy/event-sentences.ts'
import { ratingEventSentences } from '../../modules/ratings/event-sentences.ts'
import { rewardEventSentences } from '../../modules/rewards/event-sentences.ts'
import { supportEventSentences } from '../../modules/support/event-sentences.ts'
import { vettingEventSentences } from '../../modules/vetting/event-sentences.ts'
import { site } from '../site.ts'

const sentencesByType: Partial<EventSentences<{ type: string; data: object }>> = {
  ...accountEventSentences,
  ...adminInvitationEventSentences,
  ...consentEventSentences,
  ...folderEventSentences,
  ...paymentEventSentences,
  ...ratingEventSentences,
  ...rewardEventSentences,
  ...supportEventSentences,
  ...modelLibraryEventSentences,
  ...vettingEventSentences,
}

/** 'PayoutAccountOpened' → 'payout account opened' */
export const eventTypeInWords = (type: string) => type.replace(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase()

type Described = Pick<AdminEventLogEntry, 'type' | 'data' | 'actor' | 'who' | 'about'>
/** Who a sentence begins with: a person or, for automatic events, the site. Without an id if there is no page to link to. */
interface Subject {
  name: string
  id?: string
}

const actorOf = ({ who, actor }: Described): Subject =>
  who ? { name: who.name, id: actor } : { name: actor === 'system' ? site.name : `Account ${actor.slice(0, 8)}` }

/** An event as one plain sentence: its subject, or null if it has none, and the rest. */
export function eventSentence(entry: Described): { subject: Subject | null; rest: string } {
  const { type, data, about } = entry
  const sentence = sentencesByType[type]
  if (!sentence) return { subject: actorOf(entry), rest: `recorded: ${eventTypeInWords(type)}` }
  const rest = sentence.audit((data ?? {}) as Record<string, unknown>, about?.name)
  if (sentence.subject === 'none') return { subject: null, rest }
  return { subject: sentence.subject === 'owner' ? (about ?? { name: 'Someone who left' }) : actorOf(entry), rest }
}
