import { countWithNoun } from '../format-cents-and-counts.ts'
import {
  LetterButton,
  type LetterContent,
  LetterTitle,
  Paragraph,
  QuotedText,
  type SenderDetails,
  sessionLink,
  truncateForPreview,
} from './letter-components.tsx'
import type { LetterReview } from './review-text-without-summary.tsx'

/** To the player: the feedback was delivered. */
export const feedbackLetter = (
  p: { player: string; instructor: string; folder: string; folderId: string; session: string; review: LetterReview },
  { origin }: SenderDetails,
): LetterContent => ({
  subject: `${p.instructor} reviewed your folder`,
  preview: truncateForPreview(p.review.summary),
  body: (
    <>
      <LetterTitle>Your feedback is here</LetterTitle>
      <Paragraph>Hi {p.player},</Paragraph>
      <Paragraph>
        {p.instructor} went through "{p.folder}"
        {p.review.notes.length > 0 && ` and left ${countWithNoun(p.review.notes.length, 'note')} on your reps`}. In short:
      </Paragraph>
      <QuotedText>{p.review.summary}</QuotedText>
      <LetterButton href={sessionLink(origin, 'player', p)}>Watch it with the notes</LetterButton>
      <Paragraph>Not sure what a note means? You can ask one question about this feedback, free of charge.</Paragraph>
    </>
  ),
})
