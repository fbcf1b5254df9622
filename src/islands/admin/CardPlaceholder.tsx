import { errorMessage } from '../../client/use-command.ts'
import { Button } from '../../ui/button.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'

/** A placeholder for a card while its data loads: a skeleton, or the error with a button to try again. */
export const CardPlaceholder = ({ error, retry }: { error: unknown; retry: () => void }) =>
  error ? (
    <p className="flex flex-wrap items-center gap-3 rounded-card border border-line bg-paper p-4">
      {errorMessage(error)}
      <Button variant="secondary" size="sm" onClick={retry}>
        Try again
      </Button>
    </p>
  ) : (
    <Skeleton className="h-25.75" />
  )
