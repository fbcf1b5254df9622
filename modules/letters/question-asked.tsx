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

/** To the instructor: the player's one question about the feedback. */
export const questionAskedLetter = (
  p: { instructor: string; player: string; folder: string; folderId: string; session: string; question: string },
  { origin }: SenderDetails,
): LetterContent => ({
  subject: `${p.player} has a question about your feedback`,
  preview: truncateForPreview(p.question),
  body: (
    <>
      <LetterTitle>A question about your feedback</LetterTitle>
      <Paragraph>Hi {p.instructor},</Paragraph>
      <Paragraph>
        {p.player} read your feedback on "{p.folder}" and asks:
      </Paragraph>
      <QuotedText>{p.question}</QuotedText>
      <LetterButton href={sessionLink(origin, 'instructor', p)}>Answer</LetterButton>
    </>
  ),
})
