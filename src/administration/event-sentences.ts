import { adminInvitationSentences } from '../../modules/accounts/event-sentences.ts'
import type { AuditEntry } from '../../modules/audit/contract.ts'
import { consentSentences } from '../../modules/consent/event-sentences.ts'
import type { EventSentences } from '../../modules/event-sentences.ts'
import { folderSentences } from '../../modules/folders/event-sentences.ts'
import { modelLibrarySentences } from '../../modules/model-clips/event-sentences.ts'
import { paymentSentences } from '../../modules/payments/event-sentences.ts'
import { accountSentences } from '../../modules/privacy/event-sentences.ts'
import { ratingSentences } from '../../modules/ratings/event-sentences.ts'
import { rewardSentences } from '../../modules/rewards/event-sentences.ts'
import { supportSentences } from '../../modules/support/event-sentences.ts'
import { vettingSentences } from '../../modules/vetting/event-sentences.ts'
import { site } from '../site.ts'

const sentencesByType: Partial<EventSentences<{ type: string; data: object }>> = {
  ...accountSentences,
  ...adminInvitationSentences,
  ...consentSentences,
  ...folderSentences,
  ...paymentSentences,
  ...ratingSentences,
  ...rewardSentences,
  ...supportSentences,
  ...modelLibrarySentences,
  ...vettingSentences,
}

/** 'PayoutAccountOpened' → 'payout account opened' */
export const eventTypeInWords = (type: string) => type.replace(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase()

type Described = Pick<AuditEntry, 'type' | 'data' | 'actor' | 'who' | 'about'>
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
