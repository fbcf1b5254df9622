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

/** To the player: the instructor's answer. */
export const questionAnsweredLetter = (
  p: { player: string; instructor: string; folder: string; folderId: string; session: string; question: string; answer: string },
  { origin }: SenderDetails,
): LetterContent => ({
  subject: `${p.instructor} answered your question`,
  preview: truncateForPreview(p.answer),
  body: (
    <>
      <LetterTitle>Your question was answered</LetterTitle>
      <Paragraph>Hi {p.player},</Paragraph>
      <Paragraph>You asked about "{p.folder}":</Paragraph>
      <QuotedText>{p.question}</QuotedText>
      <Paragraph>{p.instructor} says:</Paragraph>
      <QuotedText>{p.answer}</QuotedText>
      <LetterButton href={sessionLink(origin, 'player', p)}>Open the folder</LetterButton>
    </>
  ),
})
