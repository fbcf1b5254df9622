import { LetterButton, type LetterContent, LetterTitle, Paragraph, QuotedText, type SenderDetails } from './letter-components.tsx'

/** To the player: a video of a folder that was sent to an instructor, or to a guardian for approval, cannot be played. */
export const videoRefusedLetter = (
  p: { player: string; folder: string; folderId: string; reason: string },
  { origin }: SenderDetails,
): LetterContent => ({
  subject: 'One of your videos cannot be played',
  preview: 'Replace it so that your instructor can finish the review.',
  body: (
    <>
      <LetterTitle>One of your videos cannot be played</LetterTitle>
      <Paragraph>Hi {p.player},</Paragraph>
      <Paragraph>We could not prepare a video in "{p.folder}":</Paragraph>
      <QuotedText>{p.reason}</QuotedText>
      <Paragraph>Nobody can watch this video. Please replace it. Your instructor cannot finish the review until you do.</Paragraph>
      <LetterButton href={`${origin}/player/folder/${p.folderId}#refused-video`}>Replace the video</LetterButton>
    </>
  ),
})
