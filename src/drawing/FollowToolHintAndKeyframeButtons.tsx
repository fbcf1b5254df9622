import { useStore } from '@nanostores/react'
import { ChevronLeft, ChevronRight, DiamondMinus } from 'lucide-react'
import type { ReadableAtom } from 'nanostores'
import { MAX_POINTS_PER_SHAPE } from '../../modules/reviews/policy.ts'
import { IconButton } from '../ui/button.tsx'
import type { DrawingToolbarCommands } from './drawing-toolbar-commands.ts'
import type { FollowToolKeyframeState } from './follow-tool-keyframe-state.ts'

const icon = { size: 20, strokeWidth: 1.75, 'aria-hidden': true } as const

function followHint(keyframes: FollowToolKeyframeState | null): string {
  if (!keyframes) return 'Draw something or select a drawing. Then move it from frame to frame.'
  const { frames, current, hasRoom } = keyframes
  if (!hasRoom) return `This drawing has reached its limit of ${MAX_POINTS_PER_SHAPE} points.`
  if (frames.length > 1) return current < 0 ? `${frames.length} keyframes` : `Keyframe ${current + 1} of ${frames.length}`
  return current < 0
    ? 'Now move it to the right spot in this frame.'
    : 'Keyframe set. Go to another frame and move the drawing; it follows along in the frames between.'
}

/** A hint for the follow tool, and buttons for the keyframes of its shape once the shape has several. */
export function FollowToolHintAndKeyframeButtons({
  acts,
  $keyframes,
}: {
  acts: DrawingToolbarCommands
  $keyframes: ReadableAtom<FollowToolKeyframeState | null>
}) {
  const keyframes = useStore($keyframes)
  const { frames, current } = keyframes ?? { frames: [], current: -1 }
  return (
    <div
      data-tool-hint=""
      className="pointer-events-auto flex w-fit max-w-full items-center gap-0.5 rounded-field bg-paper px-1 text-13 shadow-float"
    >
      {frames.length > 1 && (
        <IconButton label="Previous keyframe" onClick={() => acts.toKeyframe(-1)}>
          <ChevronLeft {...icon} />
        </IconButton>
      )}
      <p role="status" className="px-2 py-1 tabular-nums">
        {followHint(keyframes)}
      </p>
      {frames.length > 1 && (
        <>
          <IconButton label="Next keyframe" onClick={() => acts.toKeyframe(1)}>
            <ChevronRight {...icon} />
          </IconButton>
          <IconButton label="Remove keyframe" disabled={current < 0} onClick={acts.removeKeyframe}>
            <DiamondMinus {...icon} />
          </IconButton>
        </>
      )}
    </div>
  )
}
