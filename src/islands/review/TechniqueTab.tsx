import { useStore } from '@nanostores/react'
import { MapPin, Trash2 } from 'lucide-react'
import { memo, useDeferredValue, useEffect, useMemo } from 'react'
import type { Skill } from '../../../modules/accounts/contract.ts'
import type { Video } from '../../../modules/folders/contract.ts'
import type { TechniquePosition } from '../../../modules/reviews/contract.ts'
import { SKILLS } from '../../../modules/reviews/policy.ts'
import { useQuery } from '../../client/query.ts'
import type { AutosavingDraftStore } from '../../draft/autosaved-draft.ts'
import { useDraftSelector, useIsDraftLoading } from '../../draft/draft-selector-hooks.ts'
import { folderQueryInput } from '../../folders/folder-page-urls-and-query.ts'
import type { VideoPlayer } from '../../player/video-player.ts'
import { CaptureRateEditor } from '../../technique/CaptureRateEditor.tsx'
import {
  CONTACT_POSITION,
  formatMillisecondsBetweenFrames,
  techniquePositionNames,
  techniquePositionsOfVideo,
} from '../../technique/edit-and-group-technique-positions.ts'
import { SwingPositionStillsRow } from '../../technique/SwingPositionStillsRow.tsx'
import { useRealTimeOfFrames } from '../../technique/use-real-time-of-frames.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { capitalize } from '../../ui/capitalize.ts'
import { cx } from '../../ui/cx.ts'
import { FindContactBySound } from './FindContactBySound.tsx'
import type { TechniqueEditor } from './use-technique-editor.ts'

const NO_TECHNIQUE_CHECKPOINTS: TechniquePosition[] = []
const icon = { size: 18, strokeWidth: 1.75, 'aria-hidden': true } as const

/** A position with its frame and the milliseconds since the previous one. Memoized, so that a press rerenders only the rows that change. */
const PositionRow = memo(function PositionRow({
  name,
  number,
  skill,
  point,
  since,
  technique,
  loading,
}: {
  name: string
  number: number
  skill: Skill
  point: TechniquePosition | undefined
  since: string | undefined
  technique: TechniqueEditor
  loading: boolean
}) {
  return (
    <li className="flex min-h-13 items-center gap-2 border-b border-line">
      <span aria-hidden="true" className="grid size-6 shrink-0 place-items-center rounded-full bg-ink-wash text-13 font-medium">
        {number}
      </span>
      {point ? (
        <button
          type="button"
          onClick={() => technique.go(point)}
          aria-label={`Go to ${name}, frame ${point.frame + 1}`}
          className="min-h-11 min-w-0 flex-1 rounded-field px-1 text-left hover:bg-ink-wash"
        >
          <span className="block font-medium">{capitalize(name)}</span>
          <span className="block text-13 text-ink-2 tabular-nums">
            Frame {point.frame + 1}
            {point.by === 'sound' && ', by sound'}
          </span>
        </button>
      ) : (
        <span className="min-w-0 flex-1 px-1 text-ink-2">{capitalize(name)}</span>
      )}
      {since !== undefined && (
        <span className="text-right whitespace-nowrap">
          <span className="text-22 font-heavy tabular-nums">{since}</span> <span className="text-13 text-ink-2">ms</span>
        </span>
      )}
      {point?.by === 'sound' && (
        <Button variant="secondary" size="sm" onClick={() => technique.confirm(point)}>
          Confirm
        </Button>
      )}
      {point ? (
        <>
          <IconButton label={`Move ${name} to the frame shown`} className="text-ink-2" onClick={() => technique.set(name)}>
            <MapPin {...icon} />
          </IconButton>
          <IconButton label={`Remove ${name}`} className="text-ink-2" onClick={() => technique.remove(point)}>
            <Trash2 {...icon} />
          </IconButton>
        </>
      ) : (
        <Button
          variant="secondary"
          size="sm"
          disabled={loading}
          aria-label={`Set ${name} here`}
          aria-keyshortcuts={`Shift+${number}`}
          onClick={() => {
            technique.$skill.set(skill)
            technique.set(name)
          }}
        >
          Set here
        </Button>
      )}
    </li>
  )
})

/** Sets and shows the positions of a skill on the current clip, with times between them and the last session's positions. */
export function TechniqueTab({
  autosavedDraft,
  player,
  clip,
  technique,
  folder,
  session,
}: {
  autosavedDraft: AutosavingDraftStore
  player: VideoPlayer
  clip: Video
  technique: TechniqueEditor
  folder: string
  session: string
}) {
  const checkpoints = useDraftSelector(autosavedDraft, d => d.checkpoints) ?? NO_TECHNIQUE_CHECKPOINTS
  const loading = useIsDraftLoading(autosavedDraft)
  const ready = useStore(player.$status) === 'ready'
  const chosen = useStore(technique.$skill)
  const { data } = useQuery('GET /api/folders/{folder}/technique', folderQueryInput(folder, session))
  const skill: Skill = chosen ?? checkpoints.at(-1)?.skill ?? 'hitting'
  // The skill of the last session is preselected.
  const last = data?.before[0]?.skill
  useEffect(() => {
    if (last && !technique.$skill.get() && !autosavedDraft.$draft.get().checkpoints?.length) technique.$skill.set(last)
  }, [last, technique, autosavedDraft])
  const points = useMemo(() => techniquePositionsOfVideo(checkpoints, clip.id, skill), [checkpoints, clip.id, skill])
  // The stills are deferred, so that the list of positions updates first.
  const pictured = useDeferredValue(points)
  const real = useRealTimeOfFrames(clip)
  const before = data?.before.find(b => b.skill === skill)
  return (
    <div className="flex flex-col gap-5">
      <fieldset className="flex flex-wrap gap-1 rounded-field bg-ink-wash p-1">
        <legend className="sr-only">Skill</legend>
        {SKILLS.map(s => (
          <label
            key={s}
            className={cx(
              'grid min-h-11 flex-1 cursor-pointer place-items-center rounded-[7px] border border-transparent px-2 text-14 font-medium text-ink-2 hover:text-ink',
              'has-checked:border-line has-checked:bg-paper has-checked:text-ink has-focus-visible:outline-3 has-focus-visible:outline-sky',
            )}
          >
            <input type="radio" name="discipline" className="sr-only" checked={s === skill} onChange={() => technique.$skill.set(s)} />
            <span>{capitalize(s)}</span>
          </label>
        ))}
      </fieldset>
      <ol aria-label="Positions" className="flex flex-col">
        {techniquePositionNames(skill).map((name, i) => {
          const at = points.findIndex(p => p.name === name)
          const point = points[at]
          const previous = points[at - 1]
          return (
            <PositionRow
              key={name}
              {...{ name, skill, technique, loading }}
              number={i + 1}
              point={point}
              since={point && previous && formatMillisecondsBetweenFrames(real, previous.frame, point.frame)}
            />
          )
        })}
      </ol>
      {skill === CONTACT_POSITION.skill && <FindContactBySound technique={technique} clip={clip} />}
      <CaptureRateEditor key={clip.id} folder={folder} clip={clip} />
      {pictured.length > 0 && (
        <SwingPositionStillsRow
          {...{ skill, clip, lastTime: before, canLoadStills: ready, renewClip: technique.renewClip }}
          points={pictured}
          onPick={technique.go}
        />
      )}
      {before && !points.length && <p className="text-14 text-ink-2">Set a position to see it beside the last session’s.</p>}
    </div>
  )
}
