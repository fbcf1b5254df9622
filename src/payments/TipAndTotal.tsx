import { type Control, type UseFormReturn, useWatch } from 'react-hook-form'
import type { Payment } from '../../modules/payments/contract.ts'
import { TIP_PERCENTS } from '../../modules/payments/policy.ts'
import { Choice, ChoiceGroup } from '../ui/choices.tsx'
import { TextField } from '../ui/field.tsx'
import { Money } from '../ui/money-amount.tsx'
import { PriceLine } from './PriceLines.tsx'
import { parseTip, percentTipCents, type TipFormValues, tipBaseCents, tipCents } from './tip.ts'

// Each component that shows the tip watches it itself, so that changing the tip does not rerender the whole form.
export interface TipProps {
  control: Control<TipFormValues>
  payment: Payment
}
/** The chosen tip, in cents. */
export function useTip({ control, payment }: TipProps) {
  const [choice, amount] = useWatch({ control, name: ['choice', 'amount'] })
  return tipCents({ choice, amount }, payment.items)
}

/** The line for the tip among the items of a bill; renders nothing without a tip. */
export function TipLine({ name, ...follows }: TipProps & { name: string }) {
  const tip = useTip(follows)
  return tip > 0 && <PriceLine label={`Tip for ${name}`} cents={tip} />
}

/** The line with the total of a bill, including the tip. */
export const TotalWithTip = (follows: TipProps) => <PriceLine strong label="Total" cents={follows.payment.total + useTip(follows)} />

/** Radio buttons for a tip: a percentage of the price, no tip, or a custom amount. */
export function TipChoices({ form, payment, name }: { form: UseFormReturn<TipFormValues>; payment: Payment; name: string }) {
  const base = tipBaseCents(payment.items)
  const choice = form.register('choice')
  return (
    <>
      <ChoiceGroup
        legend="Add a tip"
        hint={`All of it goes to ${name}.`}
        className="grid grid-cols-6 gap-2 *:col-span-2 *:nth-last-[-n+2]:col-span-3"
      >
        {TIP_PERCENTS.map(percent => (
          <Choice
            key={percent}
            type="radio"
            value={String(percent)}
            label={`${percent}%`}
            detail={<Money cents={percentTipCents(percent, base)} />}
            {...choice}
          />
        ))}
        <Choice type="radio" value="0" label="No tip" {...choice} />
        <Choice type="radio" value="other" label="Other" {...choice} />
      </ChoiceGroup>
      <OtherTipField form={form} />
    </>
  )
}

function OtherTipField({ form }: { form: UseFormReturn<TipFormValues> }) {
  if (useWatch({ control: form.control, name: 'choice' }) !== 'other') return null
  return (
    <TextField
      label="Your tip, in dollars"
      inputMode="decimal"
      autoComplete="off"
      error={form.formState.errors.amount?.message}
      {...form.register('amount', {
        validate: text => {
          const result = parseTip(text)
          return 'wrong' in result ? result.wrong : true
        },
      })}
    />
  )
}
