import { useQuery } from '../../client/query.ts'
import { errorMessage } from '../../client/use-command.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { CardError } from '../../ui/empty-and-error-states.tsx'
import { Money } from '../../ui/money-amount.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'

/** The instructor's key earnings figures, with a link to the earnings page or to the payout setup. */
export function EarningsCard() {
  const { data, error, retry } = useQuery('GET /api/earnings')
  const figures =
    data &&
    ([
      ['Not paid yet', data.unpaid],
      [data.account.status === 'ready' ? 'On its way' : 'Held for you', data.waiting],
      ['Paid out', data.transferred],
    ] as const)
  return (
    <section aria-labelledby="earnings" className="rounded-card border border-line bg-paper p-4 sm:p-6">
      <h2 id="earnings" className="text-18">
        Earnings
      </h2>
      {figures ? (
        <>
          <p className="mt-3 text-36 font-heavy [font-stretch:112%]">
            <Money cents={data.earned} />
          </p>
          <dl className="mt-2 flex flex-col gap-1 text-14">
            {figures.map(([name, cents]) => (
              <div key={name} className="flex justify-between">
                <dt className="text-ink-2">{name}</dt>
                <dd>
                  <Money cents={cents} />
                </dd>
              </div>
            ))}
          </dl>
          <ButtonLink variant="secondary" wide href="/instructor/payments" className="mt-4">
            {data.account.status === 'ready' ? 'See all earnings' : 'Set up payouts'}
          </ButtonLink>
        </>
      ) : error ? (
        <CardError className="mt-3" error={errorMessage(error)} retry={retry} />
      ) : (
        <Skeleton className="mt-3 h-44.5" />
      )}
    </section>
  )
}
