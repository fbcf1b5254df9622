import { feedbackLetter } from '../../../modules/letters/feedback-delivered.tsx'
import { folderAssignedLetter } from '../../../modules/letters/folder-assigned.tsx'
import { folderDeclinedLetter } from '../../../modules/letters/folder-declined.tsx'
import { questionAnsweredLetter } from '../../../modules/letters/question-answered.tsx'
import { questionLetter } from '../../../modules/letters/question-asked.tsx'
import { ratingAnswerLetter, sessionRatedLetter } from '../../../modules/letters/rating-letters.tsx'
import { reviewStoppedLetter } from '../../../modules/letters/review-stopped.tsx'
import { type LetterSamples, sampleDeliveredReview, sampleRating, sampleSessionProps, testSender } from './letter-sample-data.ts'

/** Letters to players and instructors about a session. */
export const sessionLetterSamples: LetterSamples = {
  assigned: {
    letter: folderAssignedLetter(
      { ...sampleSessionProps, instructor: 'Kim', videos: 2, message: 'Am I late?\nLook at my hands.' },
      testSender,
    ),
    leadsTo: '/instructor/folder/f-1?session=s-1',
  },
  declined: {
    letter: folderDeclinedLetter({ ...sampleSessionProps, reason: 'I am away until May.' }, testSender),
    leadsTo: '/player/folder/f-1',
  },
  'feedback-given': {
    letter: feedbackLetter({ ...sampleSessionProps, review: sampleDeliveredReview }, testSender),
    leadsTo: '/player/folder/f-1?session=s-1',
  },
  'review stopped, as the consent was withdrawn': {
    letter: reviewStoppedLetter({ ...sampleSessionProps, cause: 'consent-withdrawn' }, testSender),
    leadsTo: '/player/folder/f-1',
  },
  'feedback-given, in one sentence': {
    letter: feedbackLetter({ ...sampleSessionProps, review: { summary: 'Good.', notes: [], grades: [] } }, testSender),
    leadsTo: '/player/folder/f-1?session=s-1',
  },
  question: {
    letter: questionLetter({ ...sampleSessionProps, question: 'How late?' }, testSender),
    leadsTo: '/instructor/folder/f-1?session=s-1',
  },
  answer: {
    letter: questionAnsweredLetter({ ...sampleSessionProps, question: 'How late?', answer: 'Two frames.' }, testSender),
    leadsTo: '/player/folder/f-1?session=s-1',
  },
  'session-rated': {
    letter: sessionRatedLetter({ ...sampleSessionProps, rating: sampleRating }, testSender),
    leadsTo: '/instructor/folder/f-1?session=s-1',
  },
  'rating-answered': {
    letter: ratingAnswerLetter({ ...sampleSessionProps, answer: 'Thank you.' }, testSender),
    leadsTo: '/player/folder/f-1?session=s-1',
  },
}
