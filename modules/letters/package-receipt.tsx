import { BillTable, formatDate, formatLetterMoney, type Letter, LetterTitle, LinkButton, Paragraph, type Sender } from './layout.tsx'

/** To the player: a package of folders, paid. */
export const packageReceiptLetter = (
  p: {
    player: string
    label: string
    folders: number
    paid: number
    at: string
    timeZone: string
    card: string | null
    number: string
    purchase: string
  },
  { name, origin }: Sender,
): Letter => ({
  subject: `Receipt ${p.number}: ${formatLetterMoney(p.paid)}`,
  preview: `${p.label}: ${p.folders === 1 ? '1 folder is' : `${p.folders} folders are`} ready. Thank you.`,
  body: (
    <>
      <LetterTitle>Thank you for your payment</LetterTitle>
      <Paragraph>
        {name} receipt {p.number}
        <br />
        {formatDate(p.at, p.timeZone)}
        {p.card && (
          <>
            <br />
            {p.card}
          </>
        )}
      </Paragraph>
      <Paragraph>
        {p.label} for {p.player}: {p.folders === 1 ? 'the base price of 1 session' : `the base price of ${p.folders} sessions`}. The Media
        Service Fee, and a tip if you like, come after the feedback.
      </Paragraph>
      <BillTable
        lines={[
          { label: `${p.label}, ${p.folders === 1 ? '1 folder' : `${p.folders} folders`}`, cents: p.paid },
          { label: 'Paid', cents: p.paid },
        ]}
      />
      <LinkButton href={`${origin}/player/payment?receipt=${p.purchase}`}>Open the receipt</LinkButton>
    </>
  ),
})
