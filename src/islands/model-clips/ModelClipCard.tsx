import type { ModelClip } from '../../../modules/model-clips/contract.ts'
import { skillHandednessAndAngleText } from '../../comparison/model-clip-labels.ts'
import { VideoPoster } from '../../player/VideoPoster.tsx'
import { Button } from '../../ui/button.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { ModelClipVideo } from './ModelClipVideo.tsx'
import { modelClipRefusalText } from './model-clip-preparation-refusals.ts'

/** Why a clip cannot be watched yet or at all; undefined if it can. */
function preparationText({ rendition }: ModelClip['video']): string | undefined {
  if (rendition?.state === 'ready') return undefined
  if (rendition?.unseen) return modelClipRefusalText(rendition.reason)
  return rendition?.state === 'preparing' ? `Preparing, ${Math.floor(rendition.progress * 100)}%` : 'Waiting to be prepared'
}

export const shownInReviewsText = (reviews: number) =>
  reviews === 0 ? 'Not in a review yet' : reviews === 1 ? 'Shown in 1 review' : `Shown in ${reviews} reviews`

/** A clip in the library, with controls to watch, edit and delete it. */
export function ModelClipCard({ clip, onEdit, onDelete }: { clip: ModelClip; onEdit: () => void; onDelete: () => void }) {
  const { title, video, reviews, rightsConfirmed } = clip
  const preparation = preparationText(video)
  const isRefused = Boolean(video.rendition?.unseen)
  return (
    <li className="flex flex-col overflow-hidden rounded-card border border-line bg-paper">
      {preparation ? <VideoPoster src={video.poster} /> : <ModelClipVideo clip={clip} />}
      <div className="flex flex-1 flex-col gap-1 p-4">
        <h2 className="text-16 wrap-anywhere">{title}</h2>
        <p className="text-14 text-ink-2">{skillHandednessAndAngleText(clip)}</p>
        {preparation && (
          <p role={isRefused ? 'alert' : 'status'} className={isRefused ? 'text-14 font-medium text-red' : 'text-14 text-ink-2'}>
            {preparation}
          </p>
        )}
        <p className="text-13 text-ink-2">
          {shownInReviewsText(reviews)}
          {rightsConfirmed && (
            <>
              {' · permission confirmed '}
              <RelativeTime at={rightsConfirmed} />
            </>
          )}
        </p>
        <div className="mt-auto flex flex-wrap gap-2 pt-3">
          <Button variant="secondary" size="sm" onClick={onEdit} aria-label={`Edit ${title}`}>
            Edit
          </Button>
          <Button variant="secondary" size="sm" onClick={onDelete} aria-label={`Delete ${title}`}>
            Delete
          </Button>
        </div>
      </div>
    </li>
  )
}
