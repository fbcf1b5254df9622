import { countWithNoun } from '../format-cents-and-counts.ts'
import { BillTable, formatDate, LetterTitle, Paragraph } from './letter-components.tsx'

/** The content of a receipt for a session. `sender` is the site's name, `at` ISO 8601; amounts are in cents. */
export interface SessionReceiptData {
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

interface Heading {
  sender: string
  number: string
  at: string
  timeZone: string
  card: string | null
}
/** The beginning of every receipt: its number, the date and, if known, the card. */
const ReceiptHeading = ({ sender, number, at, timeZone, card }: Heading) => (
  <>
    <LetterTitle>Thank you for your payment</LetterTitle>
    <Paragraph>
      {sender} receipt {number}
      <br />
      {formatDate(at, timeZone)}
      {card && (
        <>
          <br />
          {card}
        </>
      )}
    </Paragraph>
  </>
)

/** The itemized body of a receipt for a session, whoever paid it. */
export const SessionReceiptBody = ({ receipt: p }: { receipt: SessionReceiptData }) => (
  <>
    <ReceiptHeading {...p} />
    <Paragraph>
      Feedback by {p.instructor} on "{p.folder}", for {p.player}
    </Paragraph>
    <BillTable
      lines={[...p.items, ...(p.tip ? [{ label: `Tip for ${p.instructor}`, cents: p.tip }] : []), { label: 'Paid', cents: p.paid }]}
    />
  </>
)

/** The content of a receipt for a package. `sender` is the site's name, `at` ISO 8601, `paid` in cents. */
export interface PackageReceiptData extends Heading {
  player: string
  label: string
  folders: number
  paid: number
}

/** The body of a receipt for a package of sessions, whoever paid for it. */
export const PackageReceiptBody = ({ receipt: p }: { receipt: PackageReceiptData }) => (
  <>
    <ReceiptHeading {...p} />
    <Paragraph>
      {p.label} for {p.player}: {p.folders === 1 ? 'the base price of 1 session' : `the base price of ${p.folders} sessions`}. The Media
      Service Fee, and a tip if you like, come after the feedback.
    </Paragraph>
    <BillTable
      lines={[
        { label: `${p.label}, ${countWithNoun(p.folders, 'session')}`, cents: p.paid },
        { label: 'Paid', cents: p.paid },
      ]}
    />
  </>
)
