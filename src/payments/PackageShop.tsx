import { useState } from 'react'
import { countWithNoun, formatCents } from '../../modules/format-cents-and-counts.ts'
import type { PackageType } from '../../modules/payments/policy.ts'
import { navigateAndWaitForReturn } from '../client/navigate-and-wait-for-return.ts'
import { useQuery } from '../client/query.ts'
import { errorMessage, useCommand } from '../client/use-command.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Choice, ChoiceGroup } from '../ui/choices.tsx'
import { ErrorState } from '../ui/empty-and-error-states.tsx'
import { FieldError } from '../ui/field.tsx'
import { Skeleton } from '../ui/skeleton.tsx'

/**
 * Packages of prepaid sessions; larger packages cost less per session. `wanted`: the package type in the page's URL, which is preselected.
 * `waits`: the rest of the screen is still loading, so show a skeleton. `checkout` returns the URL of the hosted page that sells a package.
 */
export function PackageShop({
  credits,
  wanted,
  waits,
  checkout,
}: {
  credits: number
  wanted: string | null
  waits: boolean
  checkout: (type: PackageType) => Promise<{ url: string }>
}) {
  const answer = useQuery('GET /api/packages')
  const { error, retry } = answer
  const data = waits ? undefined : answer.data
  const [picked, setPicked] = useState(wanted)
  const buy = useCommand()
  const chosen = data?.packages.find(p => p.type === picked) ?? data?.packages.find(p => p.folders > 1)
  const single = data?.packages.find(p => p.folders === 1)
  return (
    <section aria-labelledby="packages" className="rounded-card border border-line bg-paper p-4 sm:p-6">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h2 id="packages" className="text-22">
          Packages
        </h2>
        {credits > 0 && (
          <Badge tone="gold" dot>
            {countWithNoun(credits, 'prepaid session')} left
          </Badge>
        )}
      </div>
      <p className="mt-1 max-w-measure text-ink-2">
        Buy sessions in advance and save. Each prepaid session covers the base price. The Media Service Fee, and a tip if you like, come
        after the feedback.
      </p>
      {error && !data && !waits ? (
        <div className="mt-4">
          <ErrorState title="The packages did not load" error={errorMessage(error)} retry={retry} />
        </div>
      ) : !data ? (
        <div className="mt-5 flex flex-col gap-4">
          <div className="grid grid-cols-1 gap-3 sm:grid-cols-3">
            {['a', 'b', 'c'].map(key => (
              <Skeleton key={key} className="h-30" />
            ))}
          </div>
          <Skeleton className="h-13 sm:w-56" />
        </div>
      ) : (
        <div className="mt-5 flex flex-col gap-4">
          <ChoiceGroup legend={<span className="sr-only">Package</span>} className="grid grid-cols-1 gap-3 sm:grid-cols-3">
            {data.packages.map(p => {
              const saved = single ? single.cents * p.folders - p.cents : 0
              return (
                <Choice
                  key={p.type}
                  type="radio"
                  name="package"
                  value={p.type}
                  checked={p.type === chosen?.type}
                  onChange={() => setPicked(p.type)}
                  label={p.label}
                  detail={
                    <span className="flex flex-col gap-0.5">
                      <span className="text-28 font-heavy text-ink [font-stretch:112%]">{formatCents(p.cents)}</span>
                      <span className="text-14">
                        {p.folders === 1 ? '1 session' : `${p.folders} sessions at ${formatCents(Math.round(p.cents / p.folders))}`}
                      </span>
                      {/* Next to other packages, the single session keeps an empty line here, so that all cards have the same height. */}
                      <span className="text-14 font-medium text-field empty:h-5 max-sm:empty:hidden">
                        {saved > 0 && `You save ${formatCents(saved)}`}
                      </span>
                    </span>
                  }
                />
              )
            })}
          </ChoiceGroup>
          <div className="flex flex-col gap-2 sm:flex-row sm:items-center">
            <Button
              size="lg"
              busy={buy.busy}
              disabled={!chosen}
              onClick={() =>
                buy.run(async () => {
                  const { url } = await checkout(chosen!.type as PackageType)
                  await navigateAndWaitForReturn(url)
                })
              }
            >
              {chosen ? `Buy ${chosen.label} for ${formatCents(chosen.cents)}` : 'Buy'}
            </Button>
            <FieldError id="package-error" error={buy.message} />
          </div>
        </div>
      )}
    </section>
  )
}
