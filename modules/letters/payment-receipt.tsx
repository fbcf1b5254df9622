import { formatLetterMoney, LetterButton, type LetterContent, type SenderDetails, sessionLink } from './letter-components.tsx'
import { SessionReceiptBody, type SessionReceiptData } from './receipt-body.tsx'

/** To the player: the itemized receipt of a payment. */
export const paymentReceiptLetter = (
  p: Omit<SessionReceiptData, 'sender'> & { folderId: string; session: string },
  { name, origin }: SenderDetails,
): LetterContent => ({
  subject: `Receipt ${p.number}: ${formatLetterMoney(p.paid)}`,
  preview: `For ${p.instructor}'s feedback on "${p.folder}". Thank you.`,
  body: (
    <>
      <SessionReceiptBody receipt={{ ...p, sender: name }} />
      <LetterButton href={sessionLink(origin, 'player', p)}>Open the folder</LetterButton>
    </>
  ),
})
