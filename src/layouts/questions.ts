import { ADULT_AGE, MINIMUM_AGE } from '../../modules/accounts/policy.ts'
import { FEEDBACK_TIME, VIDEO_BYTES, VIDEOS_PER_FOLDER } from '../../modules/folders/policy.ts'
import { BASE, FEE_CAP, REFERRAL_PERCENT } from '../../modules/payments/policy.ts'
import { size } from '../islands/folder/length.ts'
import { site } from '../site.ts'
import { money } from '../ui/money.tsx'

export interface Question {
  id: string
  ask: string
  answer: string
}

/** The ten questions of /faq. */
export const questions: Question[] = [
  {
    id: 'what',
    ask: `What is ${site.name}?`,
    answer: `${site.name} links baseball and softball players to instructors in between lessons. You upload a video of your swing, pitch or play; your instructor sends back notes, drawings on the frame, drills and grades.`,
  },
  {
    id: 'how',
    ask: 'How do I get feedback?',
    answer:
      'Create a folder, upload your videos, and assign the folder to your instructor. You get a letter when the feedback is there. Read it, pay, and get back to your reps.',
  },
  {
    id: 'time',
    ask: 'How long does feedback take?',
    answer: `Typically ${FEEDBACK_TIME} from the moment you assign the folder. Each profile shows how quickly that instructor has answered lately. You can withdraw a folder until the review has started.`,
  },
  {
    id: 'cost',
    ask: 'What does it cost?',
    answer: `${money(BASE)} for each feedback session, plus a Media Service Fee that depends on the size and number of the videos and the number of notes. The fee is never more than ${money(FEE_CAP)}, so a session is never more than ${money(BASE + FEE_CAP)}. You see the quote before you assign.`,
  },
  {
    id: 'when',
    ask: 'When do I pay?',
    answer:
      'After the feedback. A saved card is needed before you assign a folder, but nothing is charged until your instructor has answered and you have seen it. A tip is up to you.',
  },
  {
    id: 'formats',
    ask: 'Which videos can I upload?',
    answer: `Up to ${VIDEOS_PER_FOLDER} videos a session, each up to ${size(VIDEO_BYTES)}, in MP4, MOV or WEBM. Anything a phone records works. Large files go up in parts, so a lost connection only pauses them.`,
  },
  {
    id: 'folders',
    ask: 'Is there a limit on folders?',
    answer:
      'No. Keep as many folders as you like and archive the ones you are done with. Each assignment to an instructor is paid separately.',
  },
  {
    id: 'age',
    ask: 'How old do I have to be?',
    answer: `At least ${MINIMUM_AGE}. Under ${ADULT_AGE} you need the permission of a parent or guardian, who agrees by a link before your first folder goes to an instructor and can ask us for everything that passes between you.`,
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
    answer: `Every player has one. A friend who registers with it gets ${REFERRAL_PERCENT}% off their first assigned folder, and you earn points that take something off a later one.`,
  },
]
