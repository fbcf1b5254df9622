import { Layers2 } from 'lucide-react'
import type { ComparableSession, Video } from '../../../../modules/folders/contract.ts'
import { areSkillsComparable, skillsReviewedOnClip } from '../../../../modules/reviews/policy.ts'
import { Button } from '../../../ui/button.tsx'
import { ErrorState } from '../../../ui/empty-and-error-states.tsx'
import { RelativeTime } from '../../../ui/relative-time.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { ClipButton, clipDurationAndRateText } from './ClipButton.tsx'
import { ModelClipPicker, type ModelClipsQueryResult } from './ModelClipPicker.tsx'

/**
 * A list of clips to compare with: those of the instructor's other sessions with this player, newest first, then the other clips of this
 * session, then the instructor's own model clips.
 */
export function ClipPicker({
  sessions,
  models,
  error,
  retry,
  now,
  beside,
  skills,
  refused,
  onPick,
  onOnionSkin,
  onClose,
}: {
  sessions: ComparableSession[] | undefined
  models: ModelClipsQueryResult
  error: string | undefined
  retry: () => void
  /** Id of the session that is being reviewed. */
  now: string
  /** The clip to compare the chosen one with. */
  beside: Video
  /** The disciplines that `beside` shows; clips known to show only other ones are not listed. Empty if unknown: all are listed. */
  skills: ReadonlySet<string>
  /** Why no comparison can be added; undefined if one can. */
  refused: string | undefined
  /** `folder`: the id of the clip's folder, or of the library of model clips. */
  onPick: (folder: string, clip: Video) => void
  /** Compares `beside` with itself: each frame is shown with the frames before and after it. */
  onOnionSkin: () => void
  onClose: () => void
}) {
  const earlier = sessions?.filter(s => s.id !== now) ?? []
  const currentSession = sessions?.filter(s => s.id === now) ?? []
  const others = [...earlier, ...currentSession].map(s => ({ ...s, clips: s.clips.filter(c => c.id !== beside.id) }))
  const shown = others
    .map(s => ({ ...s, clips: s.clips.filter(c => areSkillsComparable(skills, skillsReviewedOnClip(c, s))) }))
    .filter(s => s.clips.length)
  const count = (of: readonly { clips: unknown[] }[]) => of.reduce((sum, s) => sum + s.clips.length, 0)
  const hidden = count(others) - count(shown)
  return (
    <section aria-label="Choose a clip to compare with" className="h-full overflow-y-auto p-4">
      <div className="flex flex-wrap items-start justify-between gap-3">
        <div>
          <h2 className="text-22">Compare with</h2>
          <p className="text-14 text-ink-2">{beside.name} appears next to the clip you choose.</p>
        </div>
        <div className="flex flex-wrap gap-2">
          <Button
            variant="secondary"
            size="sm"
            disabled={!!refused}
            icon={<Layers2 aria-hidden="true" size={18} strokeWidth={1.75} />}
            onClick={onOnionSkin}
          >
            Overlay nearby frames
          </Button>
          <Button variant="secondary" size="sm" aria-keyshortcuts="C" onClick={onClose}>
            Back to the video
          </Button>
        </div>
      </div>
      {refused && (
        <p role="alert" className="mt-4 rounded-field bg-ink-wash p-3 font-medium text-gold">
          {refused}
        </p>
      )}
      {!sessions && !error && <Skeleton className="mt-6 h-40" />}
      {error && <ErrorState title="The other sessions did not load" error={error} retry={retry} />}
      {hidden > 0 && (
        <p className="mt-4 text-14 text-ink-2">
          {hidden === 1 ? '1 clip of another movement is' : `${hidden} clips of other movements are`} not listed.
        </p>
      )}
      {sessions && !shown.length && !hidden && (
        <p className="mt-6 max-w-measure text-ink-2">
          This is your first clip from this player. Compare it with a model clip, or later with their next one.
        </p>
      )}
      {shown.map(s => (
        <section key={s.id} aria-label={s.folder.name} className="mt-6">
          <h3 className="text-16">
            {s.id === now ? 'This session, such as a second angle' : s.folder.name}{' '}
            <span className="text-14 font-normal text-ink-2 [font-stretch:100%]">
              <RelativeTime at={s.assigned} />
            </span>
          </h3>
          <ul className="mt-2 flex flex-wrap gap-3">
            {s.clips.map(clip => (
              <li key={clip.id}>
                <ClipButton
                  poster={clip.poster}
                  name={clip.name}
                  about={clip.rendition?.unseen ? 'Cannot be played' : clipDurationAndRateText(clip)}
                  disabled={!!refused || Boolean(clip.rendition?.unseen)}
                  onPick={() => onPick(s.folder.id, clip)}
                />
              </li>
            ))}
          </ul>
        </section>
      ))}
      <ModelClipPicker models={models} skills={skills} isFull={!!refused} onPick={onPick} />
    </section>
  )
}
