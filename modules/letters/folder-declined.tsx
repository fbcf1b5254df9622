import type { HandBackCause } from '../folders/folder.ts'
import { type Letter, LetterButton, type LetterSender, LetterTitle, Paragraph, QuotedText } from './layout.tsx'

/** To the player: the instructor declined the folder. */
export const folderDeclinedLetter = (
  p: { player: string; instructor: string; folder: string; folderId: string; reason: string },
  { origin }: LetterSender,
): Letter => ({
  subject: `${p.instructor} cannot take your folder`,
  preview: 'Nothing was charged. You can send it to another instructor.',
  body: (
    <>
      <LetterTitle>Your folder came back</LetterTitle>
      <Paragraph>Hi {p.player},</Paragraph>
      <Paragraph>
        {p.instructor} cannot review "{p.folder}" this time:
      </Paragraph>
      <QuotedText>{p.reason}</QuotedText>
      <Paragraph>Nothing was charged, and your videos are all still there. You can assign the folder to another instructor.</Paragraph>
      <LetterButton href={`${origin}/player/folder/${p.folderId}`}>Choose another instructor</LetterButton>
    </>
  ),
})

const HANDED_BACK: Record<HandBackCause, (instructor: string) => string> = {
  'consent-withdrawn': instructor => `Your parent or guardian has withdrawn their consent, so ${instructor} stopped the review of`,
  'guardian-changed': instructor => `Another parent or guardian looks after you here from now on, so ${instructor} stopped the review of`,
}

/** To the player: a folder was handed back for a reason that was not the instructor's decision. */
export const folderHandedBackLetter = (
  p: { player: string; instructor: string; folder: string; folderId: string; cause: HandBackCause },
  { origin }: LetterSender,
): Letter => ({
  subject: `Your folder came back from ${p.instructor}`,
  preview: 'Nothing was charged.',
  body: (
    <>
      <LetterTitle>Your folder came back</LetterTitle>
      <Paragraph>Hi {p.player},</Paragraph>
      <Paragraph>
        {HANDED_BACK[p.cause](p.instructor)} "{p.folder}". Nothing was charged, and your videos are all still there. You can assign the
        folder again once your parent or guardian agrees.
      </Paragraph>
      <LetterButton href={`${origin}/player/folder/${p.folderId}`}>Open the folder</LetterButton>
    </>
  ),
})
