import { useStore } from '@nanostores/react'
import { Button } from '../ui/button.tsx'
import { Spinner } from '../ui/spinner.tsx'
import type { SyncedComparisonController } from './synced-comparison.ts'

/** Covers the pictures until they are ready, and says why: a clip is still being prepared, or the clips are loading or failed to load. */
export function ComparisonStatusOverlay({ comparer, onRetry }: { comparer: SyncedComparisonController; onRetry: () => void }) {
  const state = useStore(comparer.$state)
  const loaded = useStore(comparer.$loadedPart)
  if (state === 'ready') return null
  return (
    <div role="status" className="absolute inset-0 z-5 grid place-items-center bg-shade p-4 text-center text-ink">
      {state === 'unprepared' ? (
        'A clip is still being prepared. The comparison starts once it is ready.'
      ) : state === 'failed' ? (
        <span className="flex flex-col items-center gap-3">
          These clips did not load. Check your connection, then try again.
          <Button variant="secondary" onClick={onRetry}>
            Try again
          </Button>
        </span>
      ) : (
        <span className="flex items-center gap-2 tabular-nums">
          <Spinner /> Loading both clips{loaded > 0 && loaded < 1 ? `, ${Math.round(loaded * 100)}%` : ''}
        </span>
      )}
    </div>
  )
}
