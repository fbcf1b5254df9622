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

/** A rating. `answer`: the instructor's answer to it; null if there is none. */
export interface LetterRating {
  stars: number
  comment: string | null
  rater: 'player' | 'guardian'
  answer: string | null
}

/** To the instructor: the rating of a paid session. */
export const sessionRatedLetter = (
  p: { instructor: string; player: string; folder: string; folderId: string; session: string; rating: LetterRating },
  { origin }: SenderDetails,
): LetterContent => {
  const { stars, comment, rater } = p.rating
  const who = rater === 'guardian' ? `${p.player}'s parent or guardian` : p.player
  return {
    subject: `${who} rated your feedback ${stars} out of 5`,
    preview: comment ?? 'You can answer it once.',
    body: (
      <>
        <LetterTitle>Your feedback was rated</LetterTitle>
        <Paragraph>Hi {p.instructor},</Paragraph>
        <Paragraph>
          {who} rated your feedback on "{p.folder}" {stars} out of 5 stars{comment ? ' and wrote:' : '.'}
        </Paragraph>
        {comment && <QuotedText>{comment}</QuotedText>}
        <LetterButton href={sessionLink(origin, 'instructor', p)}>Read and answer it</LetterButton>
      </>
    ),
  }
}

/** To the player: the instructor's answer to the rating. */
export const ratingAnsweredLetter = (
  p: { player: string; instructor: string; folder: string; folderId: string; session: string; answer: string },
  { origin }: SenderDetails,
): LetterContent => ({
  subject: `${p.instructor} replied to your rating`,
  preview: truncateForPreview(p.answer),
  body: (
    <>
      <LetterTitle>A reply to your rating</LetterTitle>
      <Paragraph>Hi {p.player},</Paragraph>
      <Paragraph>
        {p.instructor} replied to your rating of "{p.folder}":
      </Paragraph>
      <QuotedText>{p.answer}</QuotedText>
      <LetterButton href={sessionLink(origin, 'player', p)}>Open the session</LetterButton>
    </>
  ),
})
