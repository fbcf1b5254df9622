import { TYPICAL_FEEDBACK_TIME } from '../folders/policy.ts'
import {
  LetterButton,
  type LetterContent,
  LetterTitle,
  Paragraph,
  QuotedText,
  type SenderDetails,
  sessionLink,
} from './letter-components.tsx'

/** To the instructor: a folder was assigned and waits for feedback. */
export const folderAssignedLetter = (
  p: { instructor: string; player: string; folder: string; folderId: string; session: string; videos: number; message: string | null },
  { origin }: SenderDetails,
): LetterContent => ({
  subject: `${p.player} sent you a folder`,
  preview: `${p.videos === 1 ? 'One video is' : `${p.videos} videos are`} waiting for your feedback.`,
  body: (
    <>
      <LetterTitle>A folder is waiting for you</LetterTitle>
      <Paragraph>Hi {p.instructor},</Paragraph>
      <Paragraph>
        {p.player} assigned you the folder "{p.folder}" with {p.videos === 1 ? 'one video' : `${p.videos} videos`}. Players usually hear
        back within {TYPICAL_FEEDBACK_TIME}.
      </Paragraph>
      {p.message && <QuotedText>{p.message}</QuotedText>}
      <LetterButton href={sessionLink(origin, 'instructor', p)}>Open the folder</LetterButton>
    </>
  ),
})
