import { ADULT_AGE, MIN_PLAYER_AGE } from '../../modules/accounts/policy.ts'
import { MAX_VIDEO_BYTES, MAX_VIDEOS_PER_SESSION, TYPICAL_FEEDBACK_TIME } from '../../modules/folders/policy.ts'
import { formatCents } from '../../modules/format-cents-and-counts.ts'
import { MAX_PIXELS_IN_ALL_FRAMES, MAX_SINGLE_UPLOAD_BYTES, MAX_VIDEO_MINUTES } from '../../modules/media/policy.ts'
import {
  BASE_PRICE_CENTS,
  CHARGE_AFTER_DAYS,
  MAX_MEDIA_SERVICE_FEE_CENTS,
  REFERRAL_DISCOUNT_PERCENT,
} from '../../modules/payments/policy.ts'
import { site } from '../site.ts'

/** The maximum length of a video of 1920 × 1080 pixels at 60 frames per second, in whole minutes. */
const maxMinutesAt1080p60 = Math.floor(MAX_PIXELS_IN_ALL_FRAMES / (1920 * 1080 * 60) / 60)
const megabytes = (bytes: number) => `${bytes / 1024 / 1024}MB`

export interface FaqQuestion {
  id: string
  ask: string
  answer: string
}

/** The ten questions on the /faq page. */
export const faqQuestions: FaqQuestion[] = [
  {
    id: 'what',
    ask: `What is ${site.name}?`,
    answer: `${site.name} links baseball and softball players to instructors in between lessons. You upload a video of your swing, pitch or play; your instructor answers with notes and drawings on the exact frame, a voice-over, an earlier swing next to this one, drills, goals and grades.`,
  },
  {
    id: 'how',
    ask: 'How do I get feedback?',
    answer:
      'Create a folder, upload your videos, and assign the folder to your instructor; those you follow or are connected with come first in the list. We will email you when the feedback is ready. Read it, pay, and get back to your reps. You can always read it again, and download it as one zip file.',
  },
  {
    id: 'time',
    ask: 'How long does feedback take?',
    answer: `Typically ${TYPICAL_FEEDBACK_TIME} from the moment you assign the folder. Once an instructor has reviewed a few folders, their profile shows how long feedback takes. You can withdraw a folder until the review has started.`,
  },
  {
    id: 'cost',
    ask: 'What does it cost?',
    answer: `${formatCents(BASE_PRICE_CENTS)} for each feedback session, plus a Media Service Fee that depends on the size and number of the videos and the number of notes. The fee is never more than ${formatCents(MAX_MEDIA_SERVICE_FEE_CENTS)}, so a session is never more than ${formatCents(BASE_PRICE_CENTS + MAX_MEDIA_SERVICE_FEE_CENTS)} before a tip. You see the quote before you assign.`,
  },
  {
    id: 'when',
    ask: 'When do I pay?',
    answer: `After the feedback. A saved card is needed before you assign a folder, but nothing is charged until your instructor has answered. Read it, then pay with one tap; if you forget, we remind you and charge the card after ${CHARGE_AFTER_DAYS} days. A tip is up to you. Only packages are paid for in advance.`,
  },
  {
    id: 'formats',
    ask: 'Which videos can I upload?',
    answer: `Up to ${MAX_VIDEOS_PER_SESSION} videos a session, each up to ${megabytes(MAX_VIDEO_BYTES)}, in MP4, MOV or WEBM: what phones record, including HEVC, HDR and slow motion. How long a video can be depends on its resolution and frame rate: ${maxMinutesAt1080p60} minutes in 1080p at 60 frames a second, for example, and never more than ${MAX_VIDEO_MINUTES} minutes. We prepare each video for every browser, and do not charge for one that cannot be played. A file under ${megabytes(MAX_SINGLE_UPLOAD_BYTES)} is uploaded in one piece, a larger one in parts, so a lost connection only pauses it.`,
  },
  {
    id: 'folders',
    ask: 'Is there a limit on folders?',
    answer:
      'No. Keep as many folders as you like and archive the ones you are done with. Each assignment to an instructor needs a separate payment.',
  },
  {
    id: 'age',
    ask: 'How old do I have to be?',
    answer: `At least ${MIN_PLAYER_AGE}. Under ${ADULT_AGE} you need the permission of a parent or guardian, who agrees through an emailed link before your first folder is sent to an instructor, is emailed a copy of everything you and the instructor write to each other, and sees the rest on their family page.`,
  },
  {
    id: 'declined',
    ask: 'What if my payment does not go through?',
    answer:
      'We tell you why: an expired card, insufficient funds, or incorrect card information. Correct it or add another card and pay again. Your feedback stays where it is.',
  },
  {
    id: 'referral',
    ask: 'How do referral codes work?',
    answer: `Every player has one. A friend who registers with it gets ${REFERRAL_DISCOUNT_PERCENT}% off their first assigned folder, and once they have paid for it you earn points toward a discount on a later folder of your own.`,
  },
]
