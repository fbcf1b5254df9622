import { BillTable, formatDay, formatMoney, type Letter, LinkButton, Paragraph, type Sender, sessionLink, Title } from './layout.tsx'

/** To the player: the final price, itemised, and what happens when. */
export const paymentDue = (
  p: {
    player: string
    instructor: string
    folder: string
    folderId: string
    session: string
    items: { label: string; cents: number }[]
    total: number
    due: string
    card: string | null
  },
  { origin }: Sender,
): Letter => ({
  subject: `${formatMoney(p.total)} for the feedback of ${p.instructor}`,
  preview: `Pay when you have read it, by ${formatDay(p.due)}.`,
  body: (
    <>
      <Title>Your price is final</Title>
      <Paragraph>Hi {p.player},</Paragraph>
      <Paragraph>
        This is what {p.instructor}'s feedback on "{p.folder}" costs:
      </Paragraph>
      <BillTable lines={[...p.items, { label: 'Total', cents: p.total }]} />
      <Paragraph>
        Read it first, then pay in one tap, with a tip if you like.{' '}
        {p.card ? `If you do nothing, we charge your ${p.card} on ${formatDay(p.due)}.` : `Please pay by ${formatDay(p.due)}.`}
      </Paragraph>
      <LinkButton href={sessionLink(origin, 'player', p)}>Read it and pay</LinkButton>
    </>
  ),
})
