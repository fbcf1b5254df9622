import { useStore } from '@nanostores/react'
import { Plus, Trash2 } from 'lucide-react'
import { useQuery } from '../../client/query.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { Poster } from '../folder/Poster.tsx'
import type { DraftKeeper } from '../review/draft.ts'
import { namedIn, pairOf, titleOf } from './named.ts'

/** The comparisons of a review that is being written: opened again, deleted, and another begun. */
export function Comparisons({
  folder,
  session,
  keeper,
  loading,
  shown,
  onShow,
  onDeleted,
}: {
  folder: string
  session: string
  keeper: DraftKeeper
  loading: boolean
  shown: string | undefined
  onShow: (id: string | undefined) => void
  onDeleted: (id: string) => void
}) {
  const { comparisons = [] } = useStore(keeper.$draft)
  const { data } = useQuery('GET /api/folders/{folder}/comparable', { params: { folder } })
  const clips = namedIn(data?.sessions ?? [], session)
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
        <p className="mt-2 text-14 text-ink-2">Set this swing beside an earlier one, synced on contact. Your player plays both together.</p>
      )}
      <ul className="mt-3 flex flex-col gap-2">
        {comparisons.map((c, i) => {
          const pair = pairOf(c, clips)
          const title = titleOf(c, pair)
          return (
            <li
              key={c.id}
              className={cx('flex items-center gap-2 rounded-field border p-2', c.id === shown ? 'border-field' : 'border-line')}
            >
              <button
                type="button"
                aria-current={c.id === shown || undefined}
                onClick={() => onShow(c.id)}
                className="flex min-h-11 min-w-0 flex-1 items-center gap-3 text-left"
              >
                <span aria-hidden="true" className="flex shrink-0 gap-0.5">
                  {[0, 1].map(which => (
                    <span key={which} className="block w-14 overflow-hidden rounded-base">
                      <Poster src={pair?.[which]?.clip.poster ?? null} />
                    </span>
                  ))}
                </span>
                <span className="min-w-0">
                  <span className="line-clamp-2 font-medium wrap-anywhere">{title}</span>
                  {data && !pair && <span className="block text-13 text-red">A clip is not there anymore. Delete this comparison.</span>}
                </span>
              </button>
              <IconButton
                label={`Delete comparison ${i + 1}`}
                onClick={() => {
                  keeper.change(d => ({ ...d, comparisons: (d.comparisons ?? []).filter(other => other.id !== c.id) }))
                  onDeleted(c.id)
                }}
              >
                <Trash2 aria-hidden="true" size={18} strokeWidth={1.75} />
              </IconButton>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
