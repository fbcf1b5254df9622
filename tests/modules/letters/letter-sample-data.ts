import type { LetterContent, SenderDetails } from '../../../modules/letters/letter-components.tsx'
import type { LetterReview } from '../../../modules/letters/review-text-without-summary.tsx'

/** The sender, people, bill and review in the sample letters. */

export const sampleSender: SenderDetails = {
  name: 'DiamondLink',
  tagline: 'Linking you to your instructor in between your lessons.',
  origin: 'https://ours.test',
  supportEmail: 'support@ours.test',
}
export const sampleSessionProps = {
  player: 'Ana',
  instructor: 'Kim Lee',
  folder: 'Swings & <bunts>',
  folderId: 'f-1',
  session: 's-1',
  timeZone: 'America/New_York',
}
export const sampleBillItems = [
  { label: 'Feedback session', cents: 1500 },
  { label: 'Media Service Fee: 2 videos', cents: 100 },
  { label: 'Referral discount: 10%', cents: -150 },
]
const label = { id: 'l-1', tool: 'text', color: 0, width: 40, p: [5000, 5000], text: 'Closed', from: 3, hold: 1, fade: 0 } as const
const drawn = { ...label, p: [...label.p] }
const side = { folder: 'f-1', video: 'v-1', origin: 3, offset: 0, scale: 1 }
export const sampleDeliveredReview: LetterReview = {
  summary: 'Good load, late hands.',
  notes: [
    { id: 'n-1', video: 'v-1', at: 61_200, kind: 'technique', text: 'Let it travel.', shapes: [drawn], voice: 'o-1' },
    { id: 'n-2', video: 'v-1', at: 62_000, kind: 'drill', text: 'Deep tee.', link: 'https://tee.test/deep' },
    { id: 'n-3', video: 'v-1', at: 63_000, kind: 'tip', text: '', voice: 'o-2' },
  ],
  grades: [
    { skill: 'hitting', grade: 45 },
    { skill: 'fielding', grade: 55 },
  ],
  goals: [
    { id: 'g-1', text: 'Shoulder closed', state: 'fixed' },
    { id: 'g-2', text: 'Turn the hip', state: 'given' },
  ],
  voices: ['o-1', 'o-2'].map(id => ({ id, video: 'v-1', frame: 0, milliseconds: 900, bytes: 9, type: 'audio/mp4', actions: [] })),
  checkpoints: [
    { video: 'v-1', skill: 'hitting', name: 'contact', frame: 60, by: 'sound' },
    { video: 'v-1', skill: 'hitting', name: 'load', frame: 30, by: 'hand' },
    { video: 'v-2', skill: 'fielding', name: 'ready', frame: 4, by: 'hand' },
  ],
  comparisons: [{ id: 'c-1', title: 'Then and now', sides: [side, { ...side, shapes: [drawn] }], mode: 'side', stretch: false }],
}
export const sampleDueDate = '2026-03-08T12:00:00.000Z'
export const sampleCardName = 'Visa ending in 4242'
export const sampleFamilyPath = '/family/folder/f-1?session=s-1&token=secret'
export const sampleGuardianSessionProps = { ...sampleSessionProps, guardian: 'Maria', url: sampleSender.origin + sampleFamilyPath }
export const sampleRating = { stars: 4, comment: 'Clear, and quick.', rater: 'player' as const, answer: null }

export type LetterSamples = Record<string, { letter: LetterContent; leadsTo?: string }>
