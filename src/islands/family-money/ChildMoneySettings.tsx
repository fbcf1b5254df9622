import { CreditCard } from 'lucide-react'
import { Suspense, useState } from 'react'
import { formatCents } from '../../../modules/format-cents-and-counts.ts'
import type { ChildSpendingAndCredits } from '../../../modules/payments/contract.ts'
import { AUTOMATIC_CHARGE_NOTICE, MONTHLY_LIMITS_CENTS } from '../../../modules/payments/policy.ts'
import { refetchQueries } from '../../client/query.ts'
import { sendCommand } from '../../client/send-command.ts'
import { useCommand } from '../../client/use-command.ts'
import { cardName } from '../../payments/card-names-and-expiry.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Choice, ChoiceGroup } from '../../ui/choices.tsx'
import { FormError } from '../../ui/field.tsx'
import { lazyWithRetry } from '../../ui/lazy-with-retry.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { toast } from '../../ui/toast.ts'

const PackageShop = lazyWithRetry(() => import('../../payments/PackageShop.tsx').then(m => ({ default: m.PackageShop })))

/** A child's monthly spending limit, prepaid sessions, and cards that the child saved before guardians became the payers. */
export function ChildMoneySettings({ child: { id, firstName, monthly, spent, credits, cards } }: { child: ChildSpendingAndCredits }) {
  const change = useCommand()
  const [buying, setBuying] = useState(false)
  const act = async (title: string, request: () => Promise<unknown>) => {
    const done = await change.run(() => request().finally(() => refetchQueries('GET /api/family/money')))
    if (done) toast({ title })
  }
  const setLimit = (cents: number | null) =>
    act('Saved', () => sendCommand('PUT /api/family/children/{player}/limit', { params: { player: id }, body: { monthly: cents } }))
  const limits = [null, ...new Set([...MONTHLY_LIMITS_CENTS, ...(monthly === null ? [] : [monthly])])].sort((a, b) => (a ?? 0) - (b ?? 0))
  return (
    <Card className="flex flex-col gap-5">
      <h2 className="text-18">{firstName}</h2>
      <ChoiceGroup legend={`Can ${firstName} start sessions without asking you?`} className="grid grid-cols-1 gap-2 sm:grid-cols-2">
        {limits.map(cents => (
          <Choice
            key={cents}
            type="radio"
            name={`limit-${id}`}
            value={String(cents)}
            checked={cents === monthly}
            disabled={change.busy}
            onChange={() => setLimit(cents)}
            label={cents === null ? 'Ask me each time' : `Up to ${formatCents(cents)} a month`}
            detail={cents === null ? 'You approve each session.' : 'Above that, we ask you.'}
          />
        ))}
      </ChoiceGroup>
      <p className="text-14 text-ink-2">You pay each session after its feedback. {AUTOMATIC_CHARGE_NOTICE}</p>
      <p className="text-14 text-ink-2">
        {spent > 0
          ? `This month so far: ${formatCents(spent)}. Sessions that have not been billed yet count at their maximum price.`
          : 'No sessions so far this month.'}
        {credits > 0 && ` ${credits === 1 ? '1 prepaid session is' : `${credits} prepaid sessions are`} left.`}
      </p>
      {cards.map(card => (
        <div key={card.id} className="flex flex-wrap items-center gap-3 rounded-field bg-sky-wash p-3">
          <CreditCard aria-hidden="true" size={20} strokeWidth={1.75} className="shrink-0 text-sky" />
          <p className="min-w-48 flex-1 text-14">
            {firstName} saved a {cardName(card)} earlier. We won’t charge it unless you choose to use it.
          </p>
          <Button
            variant="secondary"
            size="sm"
            busy={change.busy}
            onClick={() =>
              act('The card is yours now', () => sendCommand('POST /api/family/cards/{card}/take-over', { params: { card: card.id } }))
            }
          >
            Use this card
          </Button>
        </div>
      ))}
      <FormError>{change.message}</FormError>
      {buying ? (
        <Suspense fallback={<Skeleton className="h-64" />}>
          <PackageShop
            credits={credits}
            wanted={null}
            waits={false}
            checkout={type => sendCommand('POST /api/family/packages/checkout', { body: { package: type, player: id } })}
          />
        </Suspense>
      ) : (
        <Button variant="secondary" className="self-start" onClick={() => setBuying(true)}>
          Buy a package for {firstName}
        </Button>
      )}
    </Card>
  )
}
