import { folderReturnedOnConsentLossLetter } from '../../../modules/letters/consent-loss-return-notice-to-player.tsx'
import { feedbackLetter } from '../../../modules/letters/feedback-delivered.tsx'
import { folderAssignedLetter } from '../../../modules/letters/folder-assigned.tsx'
import { folderDeclinedLetter } from '../../../modules/letters/folder-declined.tsx'
import { questionAnsweredLetter } from '../../../modules/letters/question-answered.tsx'
import { questionAskedLetter } from '../../../modules/letters/question-asked.tsx'
import { ratingAnsweredLetter, sessionRatedLetter } from '../../../modules/letters/session-rated-and-rating-answered.tsx'
import { videoRefusedLetter } from '../../../modules/letters/video-refused.tsx'
import { type LetterSamples, sampleDeliveredReview, sampleRating, sampleSender, sampleSessionProps } from './letter-sample-data.ts'

const refused = { reason: 'This video is damaged and cannot be played.' }
/** Letters to players and instructors about a session. */
export const sessionLetterSamples: LetterSamples = {
  assigned: {
    letter: folderAssignedLetter(
      { ...sampleSessionProps, instructor: 'Kim', videos: 2, message: 'Am I late?\nLook at my hands.' },
      sampleSender,
    ),
    leadsTo: '/instructor/folder/f-1?session=s-1',
  },
  declined: {
    letter: folderDeclinedLetter({ ...sampleSessionProps, reason: 'I am away until May.' }, sampleSender),
    leadsTo: '/player/folder/f-1',
  },
  'feedback-given': {
    letter: feedbackLetter({ ...sampleSessionProps, review: sampleDeliveredReview }, sampleSender),
    leadsTo: '/player/folder/f-1?session=s-1',
  },
  'review stopped, as the consent was withdrawn': {
    letter: folderReturnedOnConsentLossLetter({ ...sampleSessionProps, cause: 'consent-withdrawn' }, sampleSender),
    leadsTo: '/player/folder/f-1',
  },
  'feedback-given, in one sentence': {
    letter: feedbackLetter({ ...sampleSessionProps, review: { summary: 'Good.', notes: [], grades: [] } }, sampleSender),
    leadsTo: '/player/folder/f-1?session=s-1',
  },
  question: {
    letter: questionAskedLetter({ ...sampleSessionProps, question: 'How late?' }, sampleSender),
    leadsTo: '/instructor/folder/f-1?session=s-1',
  },
  answer: {
    letter: questionAnsweredLetter({ ...sampleSessionProps, question: 'How late?', answer: 'Two frames.' }, sampleSender),
    leadsTo: '/player/folder/f-1?session=s-1',
  },
  'session-rated': {
    letter: sessionRatedLetter({ ...sampleSessionProps, rating: sampleRating }, sampleSender),
    leadsTo: '/instructor/folder/f-1?session=s-1',
  },
  'rating-answered': {
    letter: ratingAnsweredLetter({ ...sampleSessionProps, answer: 'Thank you.' }, sampleSender),
    leadsTo: '/player/folder/f-1?session=s-1',
  },
  'video refused': {
    letter: videoRefusedLetter({ ...sampleSessionProps, ...refused, isRequest: false, otherVideos: 2 }, sampleSender),
    leadsTo: '/player/folder/f-1#refused-video',
  },
  'only video refused': {
    letter: videoRefusedLetter({ ...sampleSessionProps, ...refused, isRequest: false, otherVideos: 0 }, sampleSender),
    leadsTo: '/player/folder/f-1#refused-video',
  },
  'video of an approval request refused': {
    letter: videoRefusedLetter({ ...sampleSessionProps, ...refused, isRequest: true, otherVideos: 1 }, sampleSender),
    leadsTo: '/player/folder/f-1#refused-video',
  },
}
