import { errorMessage } from '../../client/use-command.ts'
import { Button } from '../../ui/button.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'

/**
 * Stands in for a card on the overview that has no data yet: a skeleton, or after a failed request the error with a button to try again.
 * `className` sets the height that the card will usually have, so that nothing below it moves.
 */
export const OverviewCardLoadingOrError = ({ error, retry, className }: { error: unknown; retry: () => void; className: string }) =>
  error ? (
    <p className="flex flex-wrap items-center gap-3 rounded-card border border-line bg-paper p-4">
      {errorMessage(error)}
      <Button variant="secondary" size="sm" onClick={retry}>
        Try again
      </Button>
    </p>
  ) : (
    <Skeleton className={className} />
  )
