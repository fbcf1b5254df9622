import {
  BillTable,
  formatDateWithoutYear,
  formatLetterMoney,
  LetterButton,
  type LetterContent,
  LetterTitle,
  Paragraph,
  type SenderDetails,
  sessionLink,
} from './letter-components.tsx'

/** To the player: the final price, itemized, and when the card is charged. */
export const paymentDueLetter = (
  p: {
    player: string
    instructor: string
    folder: string
    folderId: string
    session: string
    items: { label: string; cents: number }[]
    total: number
    due: string
    timeZone: string
    card: string | null
  },
  { origin }: SenderDetails,
): LetterContent => ({
  subject: `${formatLetterMoney(p.total)} for ${p.instructor}'s feedback`,
  preview: `Read it first, then pay by ${formatDateWithoutYear(p.due, p.timeZone)}.`,
  body: (
    <>
      <LetterTitle>Here is your final price</LetterTitle>
      <Paragraph>Hi {p.player},</Paragraph>
      <Paragraph>
        This is what {p.instructor}'s feedback on "{p.folder}" costs:
      </Paragraph>
      <BillTable lines={[...p.items, { label: 'Total', cents: p.total }]} />
      <Paragraph>
        Read it first, then pay in one tap, with a tip if you like.{' '}
        {p.card
          ? `If you do nothing, we will charge your ${p.card} on ${formatDateWithoutYear(p.due, p.timeZone)}.`
          : `Please pay by ${formatDateWithoutYear(p.due, p.timeZone)}.`}
      </Paragraph>
      <LetterButton href={sessionLink(origin, 'player', p)}>Read it and pay</LetterButton>
    </>
  ),
})
