import {
  formatDateWithoutYear,
  formatLetterMoney,
  LetterButton,
  type LetterContent,
  LetterTitle,
  Paragraph,
  type SenderDetails,
  sessionLink,
} from './letter-components.tsx'

/**
 * To the player, the day before a bill is due: we will charge the saved card, or, if there is none, they have to pay themselves.
 * `isAccountClosed`: we closed the account, so the player cannot log in to pay.
 */
export const upcomingChargeLetter = (
  p: {
    player: string
    folder: string
    folderId: string
    session: string
    total: number
    due: string
    timeZone: string
    card: string | null
    isAccountClosed?: boolean
  },
  { origin, supportEmail }: SenderDetails,
): LetterContent => ({
  subject: p.card
    ? `We will charge ${formatLetterMoney(p.total)} on ${formatDateWithoutYear(p.due, p.timeZone)}`
    : `${formatLetterMoney(p.total)} is due on ${formatDateWithoutYear(p.due, p.timeZone)}`,
  preview: `For the feedback on "${p.folder}".`,
  body: (
    <>
      <LetterTitle>{p.card ? 'Your card will be charged soon' : 'Your bill is due soon'}</LetterTitle>
      <Paragraph>Hi {p.player},</Paragraph>
      {p.card ? (
        <Paragraph>
          The feedback on "{p.folder}" has not been paid for yet, so we will charge {formatLetterMoney(p.total)} to your {p.card} on{' '}
          {formatDateWithoutYear(p.due, p.timeZone)}.
          {!p.isAccountClosed && ' Would you like to use another card, or add a tip? Pay before then.'}
        </Paragraph>
      ) : (
        <Paragraph>
          The feedback on "{p.folder}" has not been paid for yet: {formatLetterMoney(p.total)}. There is no saved card to charge
          {!p.isAccountClosed &&
            `, so please pay by ${formatDateWithoutYear(p.due, p.timeZone)}. After that, you cannot assign new folders until it is settled`}
          .
        </Paragraph>
      )}
      {p.isAccountClosed ? (
        <Paragraph>
          {p.card
            ? `Your account is closed, so you cannot pay in it or change the card. If you have questions, write to ${supportEmail}.`
            : `Your account is closed, so you cannot pay in it. To settle this bill, write to ${supportEmail}.`}
        </Paragraph>
      ) : (
        <LetterButton href={sessionLink(origin, 'player', p)}>Pay now</LetterButton>
      )}
    </>
  ),
})
