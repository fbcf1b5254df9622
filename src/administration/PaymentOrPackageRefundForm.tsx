import type { ReactNode } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import { v7 } from 'uuid'
import { formatCents } from '../../modules/format-cents-and-counts.ts'
import { ApiError } from '../client/api.ts'
import { usePersistentForm } from '../client/persistent-form.ts'
import { refetchQueries } from '../client/query.ts'
import { useCommand } from '../client/use-command.ts'
import { Button } from '../ui/button.tsx'
import { TextArea } from '../ui/field.tsx'
import { toast } from '../ui/toast.ts'
import { decisionReasonRules } from './decision-reason-rules.ts'

interface RefundValues {
  /** The refund's id. It is stored with what was typed, so that a retry after a reload is recognized, too. */
  refund: string
  /** The amount of a payment's refund as typed, or the part of a package that the administrator chose. */
  what: string
  reason: string
}

/**
 * A form that refunds money and records the reason. `children` render the fields for the amount; `give` sends the refund and resolves to
 * its amount in cents. The refund keeps its id until it succeeds, so that a retry after a lost response does not refund twice.
 */
export function PaymentOrPackageRefundForm({
  of,
  player,
  what,
  give,
  onDone,
  children,
}: {
  /** Identifies the payment or package. It is also the key under which the typed text is stored, so that the text survives a reload. */
  of: string
  player: string
  what: string
  give: (asked: RefundValues) => Promise<number>
  onDone: () => void
  children: (form: UseFormReturn<RefundValues>) => ReactNode
}) {
  const form = usePersistentForm<RefundValues>(of, { refund: v7(), what, reason: '' })
  const command = useCommand()
  const submit = form.handleSubmit(async asked => {
    let cents = 0
    const done = await command.run(async () => {
      try {
        cents = await give(asked)
      } catch (error) {
        // An earlier request with this id refunded something else, which the message says. Another try is a new refund.
        if (error instanceof ApiError && error.code === 'refund-asked') form.setValue('refund', v7())
        throw error
      } finally {
        // The server may have refused the refund because less can be refunded than the form says, so load the current amount.
        await refetchQueries('GET /api/payments/{payment}', 'GET /api/purchases/{purchase}', 'GET /api/admin/events')
      }
    })
    if (!done) return
    form.forget()
    toast({ title: 'Refund requested', description: `${formatCents(cents)} goes back to ${player}.` })
    onDone()
  })
  return (
    <form onSubmit={submit} noValidate className="mt-6 flex flex-col gap-4 border-t border-line pt-6">
      {children(form)}
      <TextArea
        label="Reason"
        hint="Kept in the event log, and quoted in the email to whoever paid."
        rows={2}
        error={form.formState.errors.reason?.message ?? command.message}
        {...form.register('reason', decisionReasonRules)}
      />
      <Button type="submit" variant="danger" busy={command.busy} className="self-start">
        Refund
      </Button>
    </form>
  )
}
