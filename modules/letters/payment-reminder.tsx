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

/** To the player: the bill is still unpaid, `PAYMENT_REMINDER_DAYS` after it was opened. */
export const paymentReminderLetter = (
  p: {
    player: string
    instructor: string
    folder: string
    folderId: string
    session: string
    total: number
    due: string
    timeZone: string
    card: string | null
  },
  { origin }: SenderDetails,
): LetterContent => ({
  subject: `Payment due: ${formatLetterMoney(p.total)} for ${p.instructor}'s feedback`,
  preview: `${p.instructor} has finished the review. You can pay with one tap.`,
  body: (
    <>
      <LetterTitle>A friendly reminder</LetterTitle>
      <Paragraph>Hi {p.player},</Paragraph>
      <Paragraph>
        {p.instructor}'s feedback on "{p.folder}" has not been paid for yet: {formatLetterMoney(p.total)}.
      </Paragraph>
      <Paragraph>
        {p.card
          ? `If you do nothing, we will charge your ${p.card} on ${formatDateWithoutYear(p.due, p.timeZone)}.`
          : `Please pay by ${formatDateWithoutYear(p.due, p.timeZone)}.`}
      </Paragraph>
      <LetterButton href={sessionLink(origin, 'player', p)}>Pay now</LetterButton>
    </>
  ),
})
