import { invitationWords } from '../../../modules/accounts/words.ts'
import type { AuditEntry } from '../../../modules/audit/contract.ts'
import { consentWords } from '../../../modules/consent/words.ts'
import { folderWords } from '../../../modules/folders/words.ts'
import { paymentWords } from '../../../modules/payments/words.ts'
import { accountWords } from '../../../modules/privacy/words.ts'
import { rewardWords } from '../../../modules/rewards/words.ts'
import { supportWords } from '../../../modules/support/words.ts'
import { vettingWords } from '../../../modules/vetting/words.ts'
import type { Words } from '../../../modules/words.ts'

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

/** The name of whoever caused an event; 'The system' where no person did. */
export const actorName = ({ who, actor }: Pick<AuditEntry, 'who' | 'actor'>) =>
  who?.name ?? (actor === 'system' ? 'The system' : `Account ${actor.slice(0, 8)}`)

/** What happened, to follow the actor's name: 'created the folder “Tee work”'. An event without a sentence of its own gets 'recorded: …'. */
export function eventSentence({ type, data }: Pick<AuditEntry, 'type' | 'data'>): string {
  return words[type]?.audit((data ?? {}) as Record<string, unknown>) ?? `recorded: ${eventTypeInWords(type)}`
}
