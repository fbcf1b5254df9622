import { formatDate, LetterButton, type LetterContent, LetterTitle, Paragraph, type SenderDetails } from './letter-components.tsx'

/**
 * To a player under 18 whose parent or guardian refused consent. `deletedAt`: when the account will be deleted unless the guardian agrees;
 * null if the account stays, because another guardian had given consent before.
 */
export const consentRefusedLetter = (
  p: { player: string; deletedAt: string | null; timeZone: string },
  { name, origin, supportEmail }: SenderDetails,
): LetterContent => ({
  subject: p.deletedAt ? 'Your parent or guardian said no' : 'The person named as your guardian said no',
  preview: p.deletedAt
    ? `Your ${name} account stays open until ${formatDate(p.deletedAt, p.timeZone)}.`
    : `Your ${name} account stays open.`,
  body: (
    <>
      <LetterTitle>{p.deletedAt ? 'Your parent or guardian said no' : 'The person named as your guardian said no'}</LetterTitle>
      <Paragraph>Hi {p.player},</Paragraph>
      {p.deletedAt ? (
        <Paragraph>
          The person you named as your parent or guardian did not give permission for you to use {name}. Talk with them: they can still
          agree on their family page. If they do not, we will delete your account on {formatDate(p.deletedAt, p.timeZone)}.
        </Paragraph>
      ) : (
        <Paragraph>
          The person who was named as your parent or guardian did not give permission for you to use {name}. Your account and your feedback
          stay, but you cannot assign a folder. We have told our support team, and they will work with your family to sort out who should be
          listed as your parent or guardian.
        </Paragraph>
      )}
      <Paragraph>Not your parent or guardian? Our support team can correct it.</Paragraph>
      <LetterButton href={`${origin}/support`}>Contact support</LetterButton>
      <Paragraph>Or write to {supportEmail}.</Paragraph>
    </>
  ),
})
