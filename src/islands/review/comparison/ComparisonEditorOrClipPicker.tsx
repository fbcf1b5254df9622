import { useStore } from '@nanostores/react'
import { useEffect, useRef } from 'react'
import { v7 } from 'uuid'
import type { Video } from '../../../../modules/folders/contract.ts'
import type { Comparison } from '../../../../modules/reviews/contract.ts'
import { MAX_COMPARISONS_PER_REVIEW, skillsReviewedOnClip } from '../../../../modules/reviews/policy.ts'
import { useQuery } from '../../../client/query.ts'
import { errorMessage } from '../../../client/use-command.ts'
import { isComparisonOfTwoSessionClips } from '../../../comparison/comparison-from-two-angle-note.ts'
import { labeledClipsOfComparison, labeledClipsOfSessions, techniquePositionsOnBothClips } from '../../../comparison/labeled-clips.ts'
import { labeledClipsOfLibrary } from '../../../comparison/model-clip-labels.ts'
import { DEFAULT_ONION_SKIN, ONION_SKIN_DISTANCES } from '../../../comparison/onion-skin-layers.ts'
import type { AutosavingDraftStore } from '../../../draft/autosaved-draft.ts'
import { Button } from '../../../ui/button.tsx'
import { isDialogOpen, isTextEntry } from '../../../ui/shortcut-guards.ts'
import type { TwoAngleMoment } from '../studio-store.ts'
import { ClipPicker } from './ClipPicker.tsx'
import { ComparisonEditor } from './ComparisonEditor.tsx'

/** Replaces the stage with a comparison of the draft, or with a picker for a clip to compare with. */
export function ComparisonEditorOrClipPicker({
  folder,
  session,
  autosavedDraft,
  clip,
  frame,
  shown,
  shownNote,
  onShow,
  onNote,
  onClose,
}: {
  folder: string
  session: string
  autosavedDraft: AutosavingDraftStore
  /** The clip on the stage, which becomes the first side, synced on `frame`. */
  clip: Video
  frame: number
  /** Id of the comparison to show; undefined to create one. */
  shown: string | undefined
  /** The two-angle note whose moment is shown first. */
  shownNote: TwoAngleMoment | undefined
  onShow: (id: string | undefined) => void
  /** Adds a two-angle note. */
  onNote: (note: TwoAngleMoment) => void
  onClose: () => void
}) {
  const { comparisons = [], checkpoints = [], grades } = useStore(autosavedDraft.$draft)
  const { data, error, retry } = useQuery('GET /api/folders/{folder}/comparable', { params: { folder } })
  const models = useQuery('GET /api/model-clips')
  const comparison = comparisons.find(c => c.id === shown)
  const clips = [
    ...labeledClipsOfSessions(data?.sessions ?? [], session),
    ...(models.data ? labeledClipsOfLibrary(models.data.library, models.data.clips) : []),
  ]
  const pair = comparison && labeledClipsOfComparison(comparison, clips)
  const sessionClips = data?.sessions.find(s => s.id === session)?.clips ?? []
  const close = useRef(onClose)
  close.current = onClose
  const editedId = comparison && pair && comparison.id
  // Registers this listener again whenever an editor appears, so that the editor's own listener runs first and Escape ends drawing before
  // it closes the comparison.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the order of the listeners depends on the editor
  useEffect(() => {
    const press = (e: KeyboardEvent) => {
      if (e.defaultPrevented || e.ctrlKey || e.metaKey || e.altKey || isDialogOpen()) return
      const isTyping = isTextEntry(e.target)
      if (e.key !== 'Escape' && (isTyping || e.key.toLowerCase() !== 'c')) return
      e.preventDefault()
      if (isTyping) return (e.target as HTMLElement).blur()
      close.current()
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [editedId])

  /** Adds a comparison of the clip on the stage with another one, and opens it. */
  function add(other: { folder: string; video: string; origin: number }, looks: Pick<Comparison, 'mode' | 'onionSkin'>) {
    const id = v7()
    const side = { offset: 0, scale: 1 }
    const newComparison: Comparison = {
      id,
      title: '',
      stretch: false,
      ...looks,
      sides: [
        { ...side, folder, video: clip.id, origin: frame },
        { ...side, ...other },
      ],
    }
    autosavedDraft.change(d => ({ ...d, comparisons: [...(d.comparisons ?? []), newComparison] }))
    onShow(id)
  }
  if (comparison && pair)
    return (
      <ComparisonEditor
        key={comparison.id}
        {...{ autosavedDraft, comparison, pair, shownNote, onClose }}
        onNote={isComparisonOfTwoSessionClips(comparison, sessionClips) ? onNote : undefined}
        moments={techniquePositionsOnBothClips(pair, checkpoints)}
        renew={() => {
          retry()
          models.retry()
        }}
        onChange={change =>
          autosavedDraft.change(d => ({ ...d, comparisons: (d.comparisons ?? []).map(c => (c.id === comparison.id ? change(c) : c)) }))
        }
      />
    )
  if (comparison && data && models.data)
    return (
      <div className="flex h-full flex-col items-start gap-3 p-4">
        <p role="alert" className="max-w-measure">
          A clip in this comparison is no longer available. Delete this comparison or make a new one.
        </p>
        <Button variant="secondary" onClick={onClose}>
          Back to the video
        </Button>
      </div>
    )
  const full = comparisons.length >= MAX_COMPARISONS_PER_REVIEW
  return (
    <ClipPicker
      sessions={data?.sessions}
      models={models}
      error={error && !data ? errorMessage(error) : undefined}
      retry={retry}
      now={session}
      beside={clip}
      skills={skillsReviewedOnClip(clip, { checkpoints, grades })}
      refused={full ? `A review has at most ${MAX_COMPARISONS_PER_REVIEW} comparisons. Delete one first.` : undefined}
      onPick={(of, other) => add({ folder: of, video: other.id, origin: 0 }, { mode: 'side' })}
      onOnionSkin={() =>
        add(
          { folder, video: clip.id, origin: frame },
          { mode: 'ghost', onionSkin: { ...DEFAULT_ONION_SKIN, around: [...ONION_SKIN_DISTANCES] } },
        )
      }
      onClose={onClose}
    />
  )
}
