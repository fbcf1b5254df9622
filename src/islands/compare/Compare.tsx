import { useStore } from '@nanostores/react'
import { ArrowLeft, Link2 } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { v7 } from 'uuid'
import type { ComparableSession, Video } from '../../../modules/folders/contract.ts'
import type { Comparison } from '../../../modules/reviews/contract.ts'
import { COMPARISONS_PER_REVIEW, TITLE_LENGTH } from '../../../modules/reviews/policy.ts'
import { useQuery } from '../../client/query.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { sentence } from '../command.ts'
import type { DraftKeeper } from '../review/draft.ts'
import { createComparer } from './comparer.ts'
import { pressed } from './keys.ts'
import { Modes } from './Modes.tsx'
import { momentsOf, type NamedPair, namedIn, pairOf, titleOf } from './named.ts'
import { Picker } from './Picker.tsx'
import { Screen } from './Screen.tsx'
import { Sync } from './Sync.tsx'
import { syncedOn } from './timing.ts'

/** In the place of the stage: two clips on one clock, kept in the draft; without one, the clips to choose from. */
export function Compare({
  folder,
  session,
  keeper,
  clip,
  frame,
  shown,
  onShow,
  onClose,
}: {
  folder: string
  session: string
  keeper: DraftKeeper
  /** What is on the stage: it becomes the first side, synced on this frame. */
  clip: Video
  frame: number
  /** Id of the comparison that is shown; none: another is begun. */
  shown: string | undefined
  onShow: (id: string | undefined) => void
  onClose: () => void
}) {
  const { comparisons = [], checkpoints = [] } = useStore(keeper.$draft)
  const { data, error, retry } = useQuery('GET /api/folders/{folder}/comparable', { params: { folder } })
  const comparison = comparisons.find(c => c.id === shown)
  const clips = namedIn(data?.sessions ?? [], session)
  const pair = comparison && pairOf(comparison, clips)
  const close = useRef(onClose)
  close.current = onClose
  useEffect(() => {
    const press = (e: KeyboardEvent) => {
      if (e.defaultPrevented || e.ctrlKey || e.metaKey || e.altKey || document.querySelector('[role=dialog]')) return
      const typing =
        e.target instanceof HTMLElement && e.target.matches('textarea, select, input:not([type=range], [type=radio], [type=checkbox])')
      if (e.key !== 'Escape' && (typing || e.key.toLowerCase() !== 'c')) return
      e.preventDefault()
      if (typing) return (e.target as HTMLElement).blur()
      close.current()
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [])

  function pick(of: ComparableSession, other: Video) {
    const id = v7()
    const side = { offset: 0, scale: 1 }
    const made: Comparison = {
      ...{ id, title: '', mode: 'side', stretch: false },
      sides: [
        { ...side, folder, video: clip.id, origin: frame },
        { ...side, folder: of.folder.id, video: other.id, origin: 0 },
      ],
    }
    keeper.change(d => ({ ...d, comparisons: [...(d.comparisons ?? []), made] }))
    onShow(id)
  }
  if (comparison && pair)
    return (
      <Editor
        key={comparison.id}
        {...{ comparison, pair, onClose }}
        moments={momentsOf(pair, checkpoints)}
        renew={retry}
        onChange={change =>
          keeper.change(d => ({ ...d, comparisons: (d.comparisons ?? []).map(c => (c.id === comparison.id ? change(c) : c)) }))
        }
      />
    )
  if (comparison && data)
    return (
      <div className="flex h-full flex-col items-start gap-3 p-4">
        <p role="alert" className="max-w-measure">
          A clip of this comparison is not there for you anymore. Delete the comparison, or make another.
        </p>
        <Button variant="secondary" onClick={onClose}>
          Back to the video
        </Button>
      </div>
    )
  const full = comparisons.length >= COMPARISONS_PER_REVIEW
  return (
    <Picker
      sessions={data?.sessions}
      error={error && !data ? sentence(error) : undefined}
      retry={retry}
      now={session}
      beside={clip}
      refused={full ? `A review has at most ${COMPARISONS_PER_REVIEW} comparisons. Delete one first.` : undefined}
      onPick={pick}
      onClose={onClose}
    />
  )
}

function Editor({
  comparison,
  pair,
  moments,
  renew,
  onChange,
  onClose,
}: {
  comparison: Comparison
  pair: NamedPair
  /** Positions that are set on both. */
  moments: { name: string; frames: [number, number] }[]
  renew: () => void
  onChange: (change: (comparison: Comparison) => Comparison) => void
  onClose: () => void
}) {
  const [comparer] = useState(createComparer)
  const { sides, mode, stretch } = comparison
  const sync = (frames: readonly [number, number]) => {
    comparer.pause()
    onChange(c => syncedOn(c, frames))
    comparer.seek(0)
  }
  useEffect(() => comparer.set({ sides, mode, stretch }), [comparer, sides, mode, stretch])
  useEffect(() => {
    const press = (e: KeyboardEvent) => {
      if (e.defaultPrevented || document.querySelector('[role=dialog]') || !pressed(comparer, e)) return
      e.preventDefault()
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [comparer])
  return (
    <section aria-label="Comparison" className="flex h-full min-h-0 flex-col overflow-y-auto">
      <header className="flex flex-wrap items-center gap-2 border-b border-line p-2">
        <IconButton label="Back to the video" aria-keyshortcuts="C" onClick={onClose}>
          <ArrowLeft aria-hidden="true" size={20} strokeWidth={1.75} />
        </IconButton>
        <input
          aria-label="Title of the comparison"
          value={comparison.title}
          maxLength={TITLE_LENGTH}
          placeholder={titleOf({ ...comparison, title: '' }, pair)}
          onChange={e => {
            const title = e.currentTarget.value
            onChange(c => ({ ...c, title }))
          }}
          className="h-11 min-w-40 flex-1 rounded-field border border-transparent bg-transparent px-2 font-medium hover:border-line focus:border-edge"
        />
        <Modes mode={mode} onMode={next => onChange(c => ({ ...c, mode: next }))} />
      </header>
      <div className="flex min-h-fit flex-1 flex-col">
        <Screen fill {...{ comparer, pair, mode, renew }}>
          <div className="flex flex-wrap items-center gap-x-4 gap-y-1 pb-1">
            <Button
              variant="secondary"
              size="sm"
              icon={<Link2 aria-hidden="true" size={18} strokeWidth={1.75} />}
              onClick={() => sync(comparer.$frames.get())}
            >
              Sync here
            </Button>
            {moments.map(({ name, frames }) => (
              <Button key={name} variant="quiet" size="sm" onClick={() => sync(frames)}>
                Sync on {name}
              </Button>
            ))}
            <label className="flex min-h-11 items-center gap-2 text-14">
              <input
                type="checkbox"
                className="size-5 accent-field"
                checked={stretch}
                onChange={e => {
                  const next = e.currentTarget.checked
                  onChange(c => ({ ...c, stretch: next }))
                }}
              />
              Stretch to equal length
            </label>
          </div>
          <Sync {...{ comparer, pair, comparison, onChange }} />
        </Screen>
      </div>
    </section>
  )
}
