import { LetterButton, type LetterContent, LetterTitle, Paragraph, QuotedText, type SenderDetails } from './letter-components.tsx'

/** To the player: the instructor declined the folder. */
export const folderDeclinedLetter = (
  p: { player: string; instructor: string; folder: string; folderId: string; reason: string },
  { origin }: SenderDetails,
): LetterContent => ({
  subject: `${p.instructor} cannot review your folder`,
  preview: 'Nothing was charged. You can send it to another instructor.',
  body: (
    <>
      <LetterTitle>Your folder was returned</LetterTitle>
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
