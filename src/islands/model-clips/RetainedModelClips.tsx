import type { ModelClip } from '../../../modules/model-clips/contract.ts'
import { skillHandednessAndAngleText } from '../../comparison/model-clip-labels.ts'
import { Button } from '../../ui/button.tsx'
import { shownInReviewsText } from './ModelClipCard.tsx'

const HEADING_ID = 'retained-model-clips'

/** Lists clips that were deleted from the library but still appear in delivered reviews, so that the instructor can delete them there. */
export function RetainedModelClips({ clips, onDelete }: { clips: ModelClip[]; onDelete: (clip: ModelClip) => void }) {
  return (
    <section aria-labelledby={HEADING_ID} className="mt-8 flex flex-col gap-3">
      <h2 id={HEADING_ID} className="text-18">
        Deleted clips in reviews
      </h2>
      <p className="text-14 text-ink-2">
        These clips are no longer in your library, but reviews that you delivered keep them. If the person in a clip no longer agrees,
        delete it from the reviews, too.
      </p>
      <ul className="divide-y divide-line overflow-hidden rounded-card border border-line bg-paper">
        {clips.map(clip => (
          <li key={clip.video.id} className="flex flex-wrap items-center gap-3 p-4">
            <div className="min-w-0 flex-1">
              <p className="font-medium wrap-anywhere">{clip.title}</p>
              <p className="text-14 text-ink-2">
                {skillHandednessAndAngleText(clip)} · {shownInReviewsText(clip.reviews)}
              </p>
            </div>
            <Button variant="secondary" size="sm" onClick={() => onDelete(clip)} aria-label={`Delete ${clip.title} from reviews`}>
              Delete from reviews
            </Button>
          </li>
        ))}
      </ul>
    </section>
  )
}
