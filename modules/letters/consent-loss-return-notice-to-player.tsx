import type { ConsentLossCause } from '../folders/folder.ts'
import { LetterButton, type LetterContent, LetterTitle, Paragraph, type SenderDetails } from './letter-components.tsx'

const REASONS: Record<ConsentLossCause, (instructor: string) => string> = {
  'consent-withdrawn': instructor => `Your parent or guardian has withdrawn their consent, so ${instructor} stopped the review of`,
  'guardian-changed': instructor => `A different parent or guardian is now listed on your account, so ${instructor} stopped the review of`,
}

/** To the player: the folder was returned because the guardian's consent ended, not because the instructor declined it. */
export const folderReturnedOnConsentLossLetter = (
  p: { player: string; instructor: string; folder: string; folderId: string; cause: ConsentLossCause },
  { origin }: SenderDetails,
): LetterContent => ({
  subject: `Your folder came back from ${p.instructor}`,
  preview: 'Nothing was charged.',
  body: (
    <>
      <LetterTitle>Your folder was returned</LetterTitle>
      <Paragraph>Hi {p.player},</Paragraph>
      <Paragraph>
        {REASONS[p.cause](p.instructor)} "{p.folder}". Nothing was charged, and your videos are all still there. You can assign the folder
        again once your parent or guardian agrees.
      </Paragraph>
      <LetterButton href={`${origin}/player/folder/${p.folderId}`}>Open the folder</LetterButton>
    </>
  ),
})
