import type { Video } from '../../../../modules/folders/contract.ts'
import type { ModelClip } from '../../../../modules/model-clips/contract.ts'
import { areSkillsComparable } from '../../../../modules/reviews/policy.ts'
import { errorMessage } from '../../../client/use-command.ts'
import { MODEL_CLIP_ANGLE_LABELS, MODEL_CLIP_HANDEDNESS_LABELS } from '../../../comparison/model-clip-labels.ts'
import { capitalize } from '../../../ui/capitalize.ts'
import { CardError } from '../../../ui/empty-and-error-states.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { ClipButton, clipDurationAndRateText } from './ClipButton.tsx'

/** The result of the query for the instructor's own model clips. `library`: the id of their library. */
export interface ModelClipsQueryResult {
  data?: { library: string; clips: ModelClip[] } | undefined
  error?: unknown
  retry: () => void
}

/**
 * Describes a clip, or says why it cannot be chosen. `isMovementKnown`: the list has only clips of matching skills, so the description
 * leaves the skill out.
 */
function aboutClip({ video, skill, side, angle }: ModelClip, isMovementKnown: boolean) {
  if (video.rendition?.unseen) return 'Cannot be played'
  if (video.rendition?.state !== 'ready') return 'Being prepared'
  if (!isMovementKnown) return `${capitalize(skill)} · ${MODEL_CLIP_HANDEDNESS_LABELS[side]}`
  return [MODEL_CLIP_HANDEDNESS_LABELS[side], MODEL_CLIP_ANGLE_LABELS[angle], clipDurationAndRateText(video)].join(' · ')
}

/** A list of the model clips that show one of `skills`, the skills of the player's clip. If these are unknown (empty), all are listed. */
export function ModelClipPicker({
  models: { data, error, retry },
  skills,
  isFull,
  onPick,
}: {
  models: ModelClipsQueryResult
  skills: ReadonlySet<string>
  /** Whether the review has as many comparisons as it can hold. */
  isFull: boolean
  onPick: (library: string, clip: Video) => void
}) {
  const fitting = data?.clips.filter(({ skill }) => areSkillsComparable(skills, new Set([skill]))) ?? []
  const hidden = (data?.clips.length ?? 0) - fitting.length
  return (
    <section aria-labelledby="your-model-clips" className="mt-6">
      <div className="flex flex-wrap items-baseline justify-between gap-x-3">
        <h3 id="your-model-clips" className="text-16">
          Your model clips
        </h3>
        <a href="/instructor/model-clips" target="_blank" rel="noreferrer" className="text-14 font-medium underline underline-offset-3">
          Open your library
        </a>
      </div>
      {!data && (error ? <CardError className="mt-2" error={errorMessage(error)} retry={retry} /> : <Skeleton className="mt-2 h-36" />)}
      {data && !data.clips.length && (
        <p className="mt-2 max-w-measure text-14 text-ink-2">None yet. Add a good swing or delivery to your library to compare with it.</p>
      )}
      {hidden > 0 && (
        <p className="mt-2 text-14 text-ink-2">
          {hidden === 1 ? '1 model clip of another movement is' : `${hidden} model clips of other movements are`} not listed.
        </p>
      )}
      <ul className="mt-2 flex flex-wrap gap-3">
        {data &&
          fitting.map(clip => (
            <li key={clip.video.id}>
              <ClipButton
                poster={clip.video.poster}
                name={clip.title}
                about={aboutClip(clip, skills.size > 0)}
                disabled={isFull || clip.video.rendition?.state !== 'ready'}
                onPick={() => onPick(data.library, clip.video)}
              />
            </li>
          ))}
      </ul>
    </section>
  )
}
