import type { Errand } from '../../../modules/kernel/process.ts'
import { letterErrandHandlers } from '../../../modules/letters/lazy-letter-errand-handlers.ts'
import type {
  LetterApprovalRequest,
  LetterBill,
  LetterDataSource,
  LetterRecipient,
  LetterSession,
} from '../../../modules/letters/letter-data-source.ts'
import type { Email } from '../../../modules/letters/resend-mailer.ts'
import { sampleSender } from './letter-sample-data.ts'

export const makeRecipient = (id: string, more: Partial<LetterRecipient> = {}): LetterRecipient => ({
  id,
  email: `${id}@example.com`,
  firstName: id,
  lastName: 'Lee',
  role: 'player',
  timeZone: 'America/New_York',
  guardian: null,
  asked: null,
  quietUntil: null,
  ...more,
})
export const sampleLetterSession: LetterSession = {
  folder: 'Swings',
  player: 'ana',
  instructor: 'kim',
  message: 'Am I late?',
  videos: 1,
  videoIds: ['v-1'],
  review: { summary: 'Good load.', notes: [{ id: 'n1', video: 'v1', at: 0, kind: 'tip', text: 'Let it travel.' }], grades: [] },
  reason: null,
  cause: null,
  isReturnedByServer: false,
  cost: null,
  question: 'How late?',
  answer: 'Two frames.',
  rating: { stars: 4, comment: 'Clear.', rater: 'player', answer: 'Thank you.' },
  checks: 'identity, May 2026',
}
export const sampleDeclinedSession: LetterSession = { ...sampleLetterSession, reason: 'Away.' }
export const sampleSessionIdForLetterKind = (kind: string) => (kind === 'declined' ? 'declined' : 'a')
export const sampleLetterBill: LetterBill = {
  folder: 'Swings',
  folderId: 'f1',
  player: 'ana',
  instructor: 'kim',
  payer: null,
  total: 1550,
  due: '2026-03-08T12:00:00.000Z',
  timeZone: 'America/New_York',
  items: [{ label: 'Feedback session', cents: 1550 }],
  settled: false,
  paid: null,
  saved: 'Visa ending in 4242',
  last: 'a2',
  used: null,
  attempts: {
    a1: { amount: 1550, card: 'Visa ending in 4242', by: 'player', cardOf: null },
    a2: { amount: 1550, card: 'Visa ending in 4242', by: 'schedule', cardOf: null },
  },
  refunds: { r1: { amount: 500, reason: 'Wrong folder' } },
}

const quote: LetterApprovalRequest = {
  guardian: 'maria',
  player: 'ana',
  instructor: 'kim',
  folder: 'Swings',
  message: 'Am I late?',
  checks: 'identity, May 2026',
  items: [{ label: 'Feedback session', cents: 1550 }],
  total: 1550,
  atMost: 2500,
}

export function letterErrandTestbed(
  more: Partial<LetterDataSource> = {},
  refuse: (letter: Email) => void = () => {},
  mailer?: { send(letter: Email): Promise<unknown> },
) {
  const sent: Email[] = []
  const scheduled: Errand[] = []
  /** Ids of the letters that were recorded as sent. */
  const recorded: string[] = []
  const facts: LetterDataSource = {
    person: async id => makeRecipient(id),
    guardian: async () => ({ name: 'Maria', email: 'maria@example.com' }),
    session: async (_, assignment) => (assignment === 'declined' ? sampleDeclinedSession : sampleLetterSession),
    bill: async () => sampleLetterBill,
    packagePurchase: async () => ({
      player: 'ana',
      payer: null,
      label: 'Triple',
      folders: 3,
      paid: 4200,
      at: '2026-03-08T12:00:00.000Z',
      timeZone: 'America/New_York',
      card: null,
      number: 'DL-1',
      left: 2,
      refunds: { r1: { amount: 1400, reason: 'Moved away' } },
    }),
    approvalRequest: async () => quote,
    familyLink: async (guardian, page) => `${sampleSender.origin}${page}?token=of-${guardian}`,
    heldShare: async () => ({ share: 1200, waiting: 2700, started: false }),
    vetting: async () => ({ status: 'pending', reason: null, checks: {} }),
    deletionDue: async () => '2026-03-16T01:00:00.000Z',
    closingReason: async () => null,
    isConsentRefused: async () => true,
    preferences: async () => ({ token: 'off-switch', reminders: true }),
    refusedVideo: async () => ({ player: 'ana', folder: 'Swings', reason: 'It is damaged.', isRequest: false, otherVideos: 1 }),
    supportRequest: async () => ({ by: 'ana', asked: 'It stops.', answer: 'Fixed.' }),
    ...more,
  }
  const mail = {
    send: async (letter: Email) => {
      refuse(letter)
      await mailer?.send(letter)
      sent.push(letter)
    },
  }
  const perform = letterErrandHandlers({
    sql: undefined as never,
    facts,
    mail,
    sender: sampleSender,
    schedule: async errand => scheduled.push(errand),
    isScheduled: async id => scheduled.some(errand => errand.id === id),
    recordSent: async (_, letters) => recorded.push(...letters),
  })
  return {
    sent,
    scheduled,
    recorded,
    facts,
    run: (kind: string, payload: object) => perform[`letter.${kind}`]!(payload, { id: 'e1', attempt: 1 }),
  }
}
