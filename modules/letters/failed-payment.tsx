import {
  formatLetterMoney,
  LetterButton,
  type LetterContent,
  LetterTitle,
  Paragraph,
  type SenderDetails,
  sessionLink,
} from './letter-components.tsx'

/** To the player: why the card was not charged, and what to do. `isAccountClosed`: we closed the account, so the player cannot log in. */
export const failedPaymentLetter = (
  p: {
    player: string
    folder: string
    folderId: string
    session: string
    amount: number
    card: string
    why: string
    by: 'player' | 'guardian' | 'schedule'
    isAccountClosed?: boolean
  },
  { origin, supportEmail }: SenderDetails,
): LetterContent => ({
  subject: `Your payment of ${formatLetterMoney(p.amount)} did not go through`,
  preview: p.why,
  body: (
    <>
      <LetterTitle>The payment did not go through</LetterTitle>
      <Paragraph>Hi {p.player},</Paragraph>
      <Paragraph>
        We tried to charge {formatLetterMoney(p.amount)} for the feedback on "{p.folder}" to your {p.card}. {p.why}
      </Paragraph>
      {p.isAccountClosed ? (
        <Paragraph>Your account is closed, so you cannot pay in it. To settle this bill, write to {supportEmail}.</Paragraph>
      ) : (
        <>
          {p.by === 'schedule' && (
            <Paragraph>Until this is settled, you cannot assign new folders. Everything else works as before.</Paragraph>
          )}
          <LetterButton href={sessionLink(origin, 'player', p)}>Try again or use another card</LetterButton>
        </>
      )}
    </>
  ),
})
