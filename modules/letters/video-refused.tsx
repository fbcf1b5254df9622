import { LetterButton, type LetterContent, LetterTitle, Paragraph, QuotedText, type SenderDetails } from './letter-components.tsx'
import type { LetterRefusedVideo } from './letter-data-source.ts'

/** What the refusal means for the session, and what the player can do. */
function consequenceOf({ isRequest, otherVideos }: Pick<LetterRefusedVideo, 'isRequest' | 'otherVideos'>) {
  if (isRequest)
    return {
      preview: 'Replace it, then ask for approval again.',
      text: 'Nobody can watch this video, so your parent or guardian cannot approve the session. Replace it, then ask for approval again.',
    }
  if (!otherVideos)
    return {
      preview: 'Replace it so that your instructor can give you feedback.',
      text: 'Nobody can watch this video. Please replace it. Your instructor cannot give feedback while no video can be played.',
    }
  const rest = otherVideos === 1 ? 'the other video' : `the other ${otherVideos} videos`
  const untilReplaced = `Until you replace it, your instructor can review only ${rest}.`
  return {
    preview: 'Replace it so that your instructor can review it, too.',
    text: `Nobody can watch this video. ${untilReplaced} Once you have the feedback, it can no longer be replaced.`,
  }
}

/**
 * To the player: a video of a folder that was sent to an instructor, or to a guardian for approval, cannot be played. `player`: the first
 * name.
 */
export function videoRefusedLetter(p: LetterRefusedVideo & { folderId: string }, { origin }: SenderDetails): LetterContent {
  const { preview, text } = consequenceOf(p)
  return {
    subject: 'One of your videos cannot be played',
    preview,
    body: (
      <>
        <LetterTitle>One of your videos cannot be played</LetterTitle>
        <Paragraph>Hi {p.player},</Paragraph>
        <Paragraph>We could not prepare a video in "{p.folder}":</Paragraph>
        <QuotedText>{p.reason}</QuotedText>
        <Paragraph>{text}</Paragraph>
        <LetterButton href={`${origin}/player/folder/${p.folderId}#refused-video`}>Replace the video</LetterButton>
      </>
    ),
  }
}
