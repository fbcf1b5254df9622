import { ChevronDown, CircleCheck, OctagonAlert } from 'lucide-react'
import { useQuery } from '../../client/query.ts'
import { Button } from '../../ui/button.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Time } from '../../ui/time.tsx'
import { sentence } from '../command.ts'

/** What stands still: read models and processes with the event that stopped them, errands that were given up. */
export function Trouble() {
  const { data, error, retry } = useQuery('GET /api/admin/state')
  if (!data) {
    if (!error) return <Skeleton className="h-25.75" />
    return (
      <p className="flex flex-wrap items-center gap-3 rounded-card border border-line bg-paper p-4">
        {sentence(error)}
        <Button variant="secondary" size="sm" onClick={retry}>
          Try again
        </Button>
      </p>
    )
  }
  const stopped = data.followers.filter(f => f.poison)
  const wrong = stopped.length + data.errands.length
  return (
    <section aria-labelledby="works" className="overflow-hidden rounded-card border border-line bg-paper">
      <h2 id="works" className="flex items-center gap-2 p-4 text-16">
        {wrong ? (
          <OctagonAlert aria-hidden="true" size={20} strokeWidth={1.75} className="text-red" />
        ) : (
          <CircleCheck aria-hidden="true" size={20} strokeWidth={1.75} className="text-field" />
        )}
        {wrong ? (wrong === 1 ? '1 thing stands still' : `${wrong} things stand still`) : 'Everything runs'}
      </h2>
      {wrong > 0 && (
        <ul className="divide-y divide-line border-t border-line">
          {stopped.map(f => (
            <li key={f.name} className="p-4">
              <p className="font-medium">
                {f.name} stopped at position {f.position}
              </p>
              <p className="text-14 wrap-anywhere text-ink-2">
                Event {f.poison!.event}: {f.poison!.error}
              </p>
            </li>
          ))}
          {data.errands.map(errand => (
            <li key={errand.id} className="p-4">
              <p className="font-medium">
                {errand.kind} given up after {errand.attempts === 1 ? '1 try' : `${errand.attempts} tries`}
              </p>
              <p className="text-14 wrap-anywhere text-ink-2">
                {errand.error} · <Time at={errand.at} />
              </p>
            </li>
          ))}
        </ul>
      )}
      <details className="group border-t border-line">
        <summary className="flex min-h-11 list-none items-center justify-between px-4 text-14 text-ink-2 [&::-webkit-details-marker]:hidden">
          {data.followers.length} read models and processes
          <ChevronDown aria-hidden="true" size={18} strokeWidth={1.75} className="transition-transform group-open:rotate-180" />
        </summary>
        <dl className="grid grid-cols-2 gap-x-6 gap-y-1 px-4 pb-4 text-14 sm:grid-cols-4">
          {data.followers.map(f => (
            <div key={f.name} className="flex justify-between gap-2">
              <dt className="truncate text-ink-2">{f.name}</dt>
              <dd>{f.position}</dd>
            </div>
          ))}
        </dl>
      </details>
    </section>
  )
}
