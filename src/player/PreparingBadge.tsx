import type { Video } from '../../modules/folders/contract.ts'
import { isBeingPrepared, preparationLabel } from './clip-preparation-status.ts'

/** A badge that says that the rendition is being prepared. It overlays the picture, so that nothing moves when the badge disappears. */
export const PreparingBadge = ({ clip }: { clip: Video }) =>
  isBeingPrepared(clip) ? (
    <p className="absolute top-2 left-2 rounded-full bg-shade px-3 py-1 text-13 font-medium text-ink tabular-nums">
      {preparationLabel(clip.rendition!)}
      <span className="max-sm:hidden"> · frame by frame once it is ready</span>
    </p>
  ) : null
