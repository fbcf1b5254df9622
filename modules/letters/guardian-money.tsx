import { AUTOMATIC_CHARGE_NOTICE } from '../payments/policy.ts'
import {
  BillTable,
  formatDateWithoutYear,
  formatLetterMoney,
  LetterButton,
  type LetterContent,
  LetterTitle,
  Paragraph,
  QuotedText,
  type SenderDetails,
} from './letter-components.tsx'
import { PackageReceiptBody, type PackageReceiptData, SessionReceiptBody, type SessionReceiptData } from './receipt-body.tsx'

/** The data in every letter to a guardian about a child's payments. `url` signs in and opens the page about the letter's subject. */
interface About {
  guardian: string
  player: string
  url: string
}
interface OfSession extends About {
  instructor: string
  folder: string
}
type Item = { label: string; cents: number }

/** A letter's sentence about our checks of an instructor; null if there are none. `checks`: 'identity · background, May 2026'. */
export const instructorChecksSentence = (checks: string | null, { name }: Pick<SenderDetails, 'name'>) =>
  checks && `Checked by ${name}: ${checks}.`

/** To the guardian: a child asks for a session. `checks`: our checks of the instructor, such as 'identity, May 2026'. */
export const approvalRequestLetter = (
  p: OfSession & { items: Item[]; total: number; atMost: number; message: string | null; checks: string | null },
  sender: Pick<SenderDetails, 'name'>,
): LetterContent => ({
  subject: `${p.player} wants a session with ${p.instructor}: ${formatLetterMoney(p.total)}`,
  preview: `Never more than ${formatLetterMoney(p.atMost)}. Nothing happens without your okay.`,
  body: (
    <>
      <LetterTitle>{p.player} needs your okay</LetterTitle>
      <Paragraph>Hi {p.guardian},</Paragraph>
      <Paragraph>
        {p.player} would like to send the folder "{p.folder}" to {p.instructor} for feedback. {instructorChecksSentence(p.checks, sender)}
      </Paragraph>
      {p.message && <QuotedText>{p.message}</QuotedText>}
      <BillTable lines={[...p.items, { label: 'Estimate', cents: p.total }]} />
      <Paragraph>
        You pay after the feedback, and never more than {formatLetterMoney(p.atMost)} before a tip. {AUTOMATIC_CHARGE_NOTICE} Until you
        answer, the folder stays with {p.player}.
      </Paragraph>
      <LetterButton href={p.url}>Approve or decline</LetterButton>
    </>
  ),
})

type OfBill = OfSession & { total: number; due: string; timeZone: string; card: string | null }
/** Says when the saved card will be charged if the bill is still unpaid or, without a saved card, by when to pay. */
export const billDueDateSentence = ({ card, due, timeZone }: Pick<OfBill, 'card' | 'due' | 'timeZone'>) =>
  card
    ? `If you do nothing, we will charge your ${card} on ${formatDateWithoutYear(due, timeZone)}.`
    : `Please pay by ${formatDateWithoutYear(due, timeZone)}.`

/** To the guardian who pays for a child whom another guardian now looks after: the final price, itemized, without the feedback. */
export const formerGuardianBillLetter = (p: OfBill & { items: Item[] }): LetterContent => ({
  subject: `${formatLetterMoney(p.total)} for ${p.player}'s feedback from ${p.instructor}`,
  preview: `Pay by ${formatDateWithoutYear(p.due, p.timeZone)}, with a tip if you like.`,
  body: (
    <>
      <LetterTitle>{p.player}'s feedback is here</LetterTitle>
      <Paragraph>Hi {p.guardian},</Paragraph>
      <Paragraph>
        This is what {p.instructor}'s feedback on "{p.folder}" costs:
      </Paragraph>
      <BillTable lines={[...p.items, { label: 'Total', cents: p.total }]} />
      <Paragraph>{billDueDateSentence(p)}</Paragraph>
      <LetterButton href={p.url}>See the bill and pay</LetterButton>
    </>
  ),
})

/** To the guardian: the bill is still unpaid, `PAYMENT_REMINDER_DAYS` after it was opened. */
export const guardianPaymentReminderLetter = (p: OfBill): LetterContent => ({
  subject: `Payment due: ${formatLetterMoney(p.total)} for ${p.player}'s feedback`,
  preview: `From ${p.instructor}. You can pay with one tap.`,
  body: (
    <>
      <LetterTitle>A friendly reminder</LetterTitle>
      <Paragraph>Hi {p.guardian},</Paragraph>
      <Paragraph>
        {p.instructor}'s feedback for {p.player} on "{p.folder}" has not been paid for yet: {formatLetterMoney(p.total)}.
      </Paragraph>
      <Paragraph>{billDueDateSentence(p)}</Paragraph>
      <LetterButton href={p.url}>Pay now</LetterButton>
    </>
  ),
})

/** To the guardian: the bill is due tomorrow, when the saved card, if there is one, will be charged. */
export const guardianUpcomingChargeLetter = (p: OfBill): LetterContent => ({
  subject: p.card
    ? `On ${formatDateWithoutYear(p.due, p.timeZone)} we will charge ${formatLetterMoney(p.total)} for ${p.player}'s feedback`
    : `${formatLetterMoney(p.total)} for ${p.player}'s feedback is due on ${formatDateWithoutYear(p.due, p.timeZone)}`,
  preview: `For ${p.instructor}'s feedback.`,
  body: (
    <>
      <LetterTitle>{p.card ? 'Your card will be charged soon' : 'Your bill is due soon'}</LetterTitle>
      <Paragraph>Hi {p.guardian},</Paragraph>
      {p.card ? (
        <Paragraph>
          {p.player}'s feedback on "{p.folder}" has not been paid for yet, so we will charge {formatLetterMoney(p.total)} to your {p.card}{' '}
          on {formatDateWithoutYear(p.due, p.timeZone)}. Would you like to use another card, or add a tip? Pay before then.
        </Paragraph>
      ) : (
        <Paragraph>
          {p.player}'s feedback on "{p.folder}" has not been paid for yet: {formatLetterMoney(p.total)}. There is no saved card to charge,
          so please pay by {formatDateWithoutYear(p.due, p.timeZone)}. After that, {p.player} cannot send new folders until it is settled.
        </Paragraph>
      )}
      <LetterButton href={p.url}>Pay now</LetterButton>
    </>
  ),
})

/** To the guardian: why the card was not charged, and what to do. */
export const guardianFailedPaymentLetter = (
  p: OfSession & { amount: number; card: string; why: string; bySchedule: boolean },
): LetterContent => ({
  subject: `The payment of ${formatLetterMoney(p.amount)} for ${p.player} did not go through`,
  preview: p.why,
  body: (
    <>
      <LetterTitle>The payment did not go through</LetterTitle>
      <Paragraph>Hi {p.guardian},</Paragraph>
      <Paragraph>
        We tried to charge {formatLetterMoney(p.amount)} for {p.player}'s feedback on "{p.folder}" to your {p.card}. {p.why}
      </Paragraph>
      {p.bySchedule && <Paragraph>Until this is settled, {p.player} cannot send new folders. Everything else works as before.</Paragraph>}
      <LetterButton href={p.url}>Try again or use another card</LetterButton>
    </>
  ),
})

/** To the guardian who paid for a session: the itemized receipt. */
export const guardianPaymentReceiptLetter = (p: OfSession & SessionReceiptData): LetterContent => ({
  subject: `Receipt ${p.number}: ${formatLetterMoney(p.paid)} for ${p.player}`,
  preview: `For ${p.instructor}'s feedback. Thank you.`,
  body: (
    <>
      <SessionReceiptBody receipt={p} />
      <LetterButton href={p.url}>Open the receipt</LetterButton>
    </>
  ),
})

/**
 * To the guardian: a refund was made. `what`: the session or the package that was refunded. `reason`: empty if it was deleted with the
 * child's account.
 */
export const guardianRefundLetter = (p: About & { what: string; amount: number; card: string; reason: string }): LetterContent => ({
  subject: `${formatLetterMoney(p.amount)} is on its way back to you`,
  preview: `A refund for ${p.player}.`,
  body: (
    <>
      <LetterTitle>You got a refund</LetterTitle>
      <Paragraph>Hi {p.guardian},</Paragraph>
      <Paragraph>
        We refunded {formatLetterMoney(p.amount)} for {p.player}'s {p.what} to your {p.card}. It may take 5–10 days to appear on your
        statement. {p.reason ? 'The reason:' : "We do not have the reason anymore, because the player's account was deleted."}
      </Paragraph>
      {p.reason && <QuotedText>{p.reason}</QuotedText>}
      <LetterButton href={p.url}>See payments and refunds</LetterButton>
    </>
  ),
})

/** To the guardian who bought a package for a child: the receipt. */
export const guardianPackageReceiptLetter = (p: About & PackageReceiptData): LetterContent => ({
  subject: `Receipt ${p.number}: ${formatLetterMoney(p.paid)} for ${p.player}`,
  preview: `${p.label}: ${p.folders === 1 ? '1 session is' : `${p.folders} sessions are`} ready. Thank you.`,
  body: (
    <>
      <PackageReceiptBody receipt={p} />
      <LetterButton href={p.url}>Open the receipt</LetterButton>
    </>
  ),
})
