import { invitationWords } from '../../modules/accounts/words.ts'
import type { AuditEntry } from '../../modules/audit/contract.ts'
import { consentWords } from '../../modules/consent/words.ts'
import { folderWords } from '../../modules/folders/words.ts'
import { paymentWords } from '../../modules/payments/words.ts'
import { accountWords } from '../../modules/privacy/words.ts'
import { rewardWords } from '../../modules/rewards/words.ts'
import { supportWords } from '../../modules/support/words.ts'
import { vettingWords } from '../../modules/vetting/words.ts'
import type { Words } from '../../modules/words.ts'
import { site } from '../site.ts'

const words: Partial<Words<{ type: string; data: object }>> = {
  ...accountWords,
  ...invitationWords,
  ...consentWords,
  ...folderWords,
  ...paymentWords,
  ...rewardWords,
  ...supportWords,
  ...vettingWords,
}

/** 'PayoutAccountOpened' → 'payout account opened' */
export const eventTypeInWords = (type: string) => type.replace(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase()

type Described = Pick<AuditEntry, 'type' | 'data' | 'actor' | 'who' | 'about'>
/** Somebody whom a sentence begins with; without an id where there is no page about them. */
interface Subject {
  name: string
  id?: string
}

const actorOf = ({ who, actor }: Described): Subject =>
  who ? { name: who.name, id: actor } : { name: actor === 'system' ? site.name : `Account ${actor.slice(0, 8)}` }

/** An event as one plain sentence: whom it begins with, null where it begins with nobody, and the rest. */
export function eventSentence(entry: Described): { subject: Subject | null; rest: string } {
  const { type, data, about } = entry
  const its = words[type]
  if (!its) return { subject: actorOf(entry), rest: `recorded: ${eventTypeInWords(type)}` }
  const rest = its.audit((data ?? {}) as Record<string, unknown>, about?.name)
  if (its.subject === 'none') return { subject: null, rest }
  return { subject: its.subject === 'owner' ? (about ?? { name: 'Someone who left' }) : actorOf(entry), rest }
}
