import { useStore } from '@nanostores/react'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import type { Comparison } from '../../../../modules/reviews/contract.ts'
import { MAX_COMPARISONS_PER_REVIEW } from '../../../../modules/reviews/policy.ts'
import { useQuery } from '../../../client/query.ts'
import { comparisonTitle, labeledClipsOfComparison, labeledClipsOfSessions } from '../../../comparison/labeled-clips.ts'
import { labeledClipsOfLibrary } from '../../../comparison/model-clip-labels.ts'
import type { AutosavingDraftStore } from '../../../draft/autosaved-draft.ts'
import { Button } from '../../../ui/button.tsx'
import { ComparisonItem } from './ComparisonItem.tsx'

/** The draft's comparisons, with buttons to open, rename, delete and add them. */
export function ComparisonList({
  folder,
  session,
  autosavedDraft,
  loading,
  shown,
  onShow,
  onDeleted,
}: {
  folder: string
  session: string
  autosavedDraft: AutosavingDraftStore
  loading: boolean
  shown: string | undefined
  onShow: (id: string | undefined) => void
  onDeleted: (id: string) => void
}) {
  const { comparisons = [] } = useStore(autosavedDraft.$draft)
  const { data } = useQuery('GET /api/folders/{folder}/comparable', { params: { folder } })
  const { data: models } = useQuery('GET /api/model-clips')
  /** The most recently deleted comparison with its index, so that it can be restored. */
  const [deleted, setDeleted] = useState<{ comparison: Comparison; at: number }>()
  const clips = [
    ...labeledClipsOfSessions(data?.sessions ?? [], session),
    ...(models ? labeledClipsOfLibrary(models.library, models.clips) : []),
  ]
  const change = (next: (all: Comparison[]) => Comparison[]) =>
    autosavedDraft.change(d => ({ ...d, comparisons: next(d.comparisons ?? []) }))
  return (
    <section aria-labelledby="comparisons">
      <div className="flex items-center justify-between gap-3">
        <h2 id="comparisons" className="text-18">
          Before and after
        </h2>
        <Button
          variant="secondary"
          size="sm"
          disabled={loading}
          icon={<Plus aria-hidden="true" size={18} strokeWidth={2} />}
          onClick={() => onShow(undefined)}
        >
          Compare
        </Button>
      </div>
      {!comparisons.length && (
        <p className="mt-2 text-14 text-ink-2">
          Put this swing next to an earlier one, synced on contact. Your player sees both play together.
        </p>
      )}
      <ul className="mt-3 flex flex-col gap-2">
        {comparisons.map((comparison, i) => {
          const pair = labeledClipsOfComparison(comparison, clips)
          return (
            <ComparisonItem
              key={comparison.id}
              {...{ comparison, pair }}
              number={i + 1}
              hasDeletedClip={data !== undefined && models !== undefined && !pair}
              current={comparison.id === shown}
              onShow={() => onShow(comparison.id)}
              onName={title => change(all => all.map(c => (c.id === comparison.id ? { ...c, title } : c)))}
              onDelete={() => {
                change(all => all.filter(c => c.id !== comparison.id))
                setDeleted({ comparison, at: i })
                onDeleted(comparison.id)
              }}
            />
          )
        })}
      </ul>
      <div role="status">
        {deleted && (
          <p className="mt-2 flex flex-wrap items-center justify-between gap-2 text-14">
            <span className="min-w-0 wrap-anywhere">
              “{comparisonTitle(deleted.comparison, labeledClipsOfComparison(deleted.comparison, clips))}” is deleted.
            </span>
            {comparisons.length < MAX_COMPARISONS_PER_REVIEW && (
              <Button
                variant="secondary"
                size="sm"
                onClick={() => {
                  change(all => all.toSpliced(deleted.at, 0, deleted.comparison))
                  setDeleted(undefined)
                }}
              >
                Restore
              </Button>
            )}
          </p>
        )}
      </div>
    </section>
  )
}
