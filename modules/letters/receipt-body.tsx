import { BillTable, formatDate, LetterTitle, Paragraph } from './layout.tsx'

/** What a receipt for a session says. `sender` is the house's name, `at` ISO 8601, money in cents. */
export interface SessionReceipt {
  sender: string
  player: string
  instructor: string
  folder: string
  number: string
  items: { label: string; cents: number }[]
  tip: number
  paid: number
  at: string
  timeZone: string
  card: string
}

/** The itemized body of a receipt for a session, whoever paid it. */
export const ReceiptBody = ({ receipt: p }: { receipt: SessionReceipt }) => (
  <>
    <LetterTitle>Thank you for your payment</LetterTitle>
    <Paragraph>
      {p.sender} receipt {p.number}
      <br />
      {formatDate(p.at, p.timeZone)}
      <br />
      {p.card}
    </Paragraph>
    <Paragraph>
      Feedback by {p.instructor} on "{p.folder}", for {p.player}
    </Paragraph>
    <BillTable
      lines={[...p.items, ...(p.tip ? [{ label: `Tip for ${p.instructor}`, cents: p.tip }] : []), { label: 'Paid', cents: p.paid }]}
    />
  </>
)
