import { formatLetterMoney, LetterButton, type LetterContent, type SenderDetails } from './letter-components.tsx'
import { PackageReceiptBody, type PackageReceiptData } from './receipt-body.tsx'

/** To the player: the receipt for a package of sessions. */
export const packageReceiptLetter = (
  p: Omit<PackageReceiptData, 'sender'> & { purchase: string },
  { name, origin }: SenderDetails,
): LetterContent => ({
  subject: `Receipt ${p.number}: ${formatLetterMoney(p.paid)}`,
  preview: `${p.label}: ${p.folders === 1 ? '1 session is' : `${p.folders} sessions are`} ready. Thank you.`,
  body: (
    <>
      <PackageReceiptBody receipt={{ ...p, sender: name }} />
      <LetterButton href={`${origin}/player/payment?receipt=${p.purchase}`}>Open the receipt</LetterButton>
    </>
  ),
})
