import { Landmark } from 'lucide-react'
import { formatCents } from '../../modules/format-cents-and-counts.ts'
import { Button, ButtonLink } from '../ui/button.tsx'
import { type TipProps, useTip } from './TipAndTotal.tsx'

/** The bank's page for a charge that waits for the payer, and the tip in that charge, in cents. */
export interface BankConfirmationPage {
  url: string
  tip: number
}

/**
 * Asks the payer to confirm the charge on the bank's page; renders nothing without `page`. The bank charges what the payer agreed to when
 * they pressed Pay. So this also renders nothing while another tip is chosen, and the payer can then only press Pay again.
 */
export function BankConfirmationPrompt({ page, ...tipProps }: TipProps & { page: BankConfirmationPage | null }) {
  const tip = useTip(tipProps)
  return (
    page?.tip === tip && (
      <div className="flex flex-col gap-3 rounded-field bg-sky-wash p-3">
        <p className="flex gap-2">
          <Landmark aria-hidden="true" size={20} strokeWidth={1.75} className="mt-0.5 shrink-0 text-sky" />
          Your bank needs to verify that it is you. After you confirm there, you will come right back here.
        </p>
        <ButtonLink href={page.url}>Confirm with your bank</ButtonLink>
      </div>
    )
  )
}

/** 'Pay $40.00', including the tip. It is the secondary button if it retries a declined card, or next to the link to the bank's page. */
export function PayButton({
  page,
  busy,
  isRetry,
  ...tipProps
}: TipProps & { page: BankConfirmationPage | null; busy: boolean; isRetry: boolean }) {
  const tip = useTip(tipProps)
  return (
    <Button
      type="submit"
      wide
      size="lg"
      busy={busy}
      variant={page?.tip === tip || isRetry ? 'secondary' : 'primary'}
      className="whitespace-normal!"
    >
      {`Pay ${formatCents(tipProps.payment.total + tip)}`}
    </Button>
  )
}
