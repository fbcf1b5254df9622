import { CircleCheck, OctagonAlert } from 'lucide-react'
import { useRef } from 'react'
import { useQuery } from '../../client/query.ts'
import { toast } from '../../ui/toast.ts'
import { CollapsibleCardSection } from './CollapsibleCardSection.tsx'
import { OverviewCardLoadingOrError } from './OverviewCardLoadingOrError.tsx'
import { StoppedWorkList } from './StoppedWorkList.tsx'

/**
 * What has stopped working, with buttons to retry: streams that a read model or process has parked because of a failing event, and errands
 * that the outbox has given up on. Also shows each reader's position in the log.
 */
export function StoppedWorkCard() {
  const heading = useRef<HTMLHeadingElement>(null)
  const { data, error, retry } = useQuery('GET /api/admin/state')
  if (!data) return <OverviewCardLoadingOrError error={error} retry={retry} className="h-36.75" />
  const problemCount = data.followers.reduce(
    (sum, { parked, logEnd }) => sum + parked.count + (logEnd === null ? 0 : 1),
    data.errands.length,
  )
  // The pressed button is about to disappear, so the focus moves to the heading.
  const onResolved = (title: string) => {
    heading.current?.focus()
    toast({ title })
  }
  return (
    <section aria-labelledby="works" className="overflow-hidden rounded-card border border-line bg-paper">
      <h2 id="works" ref={heading} tabIndex={-1} className="flex items-center gap-2 p-4 text-16">
        {problemCount ? (
          <OctagonAlert aria-hidden="true" size={20} strokeWidth={1.75} className="text-red" />
        ) : (
          <CircleCheck aria-hidden="true" size={20} strokeWidth={1.75} className="text-field" />
        )}
        {problemCount ? (problemCount === 1 ? '1 thing has stopped' : `${problemCount} things have stopped`) : 'Everything is running'}
      </h2>
      {problemCount > 0 && <StoppedWorkList state={data} onResolved={onResolved} />}
      <a href="/admin/system" className="link flex min-h-11 items-center border-t border-line px-4 text-14">
        System in four numbers
      </a>
      <CollapsibleCardSection summary={`${data.followers.length} read models and processes`}>
        <dl className="grid grid-cols-2 gap-x-6 gap-y-1 px-4 pb-4 text-14 sm:grid-cols-4">
          {data.followers.map(f => (
            <div key={f.name} className="flex justify-between gap-2">
              <dt className="truncate text-ink-2">{f.name}</dt>
              <dd>{f.position}</dd>
            </div>
          ))}
        </dl>
      </CollapsibleCardSection>
    </section>
  )
}
