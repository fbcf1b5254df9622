import { computed, type ReadableAtom } from 'nanostores'
import type { Shape } from '../../modules/reviews/contract.ts'
import { hasRoomForKeyframe, keyframesOf } from './animated-shape-edits.ts'

/** The keyframes of the shape that the follow tool moves, as the toolbar and the frame strip show them. */
export interface FollowToolKeyframeState {
  frames: readonly number[]
  /** Index of the keyframe at the current frame; -1 if there is none. */
  current: number
  /** Whether the shape can have a keyframe at the current frame. */
  hasRoom: boolean
}

/**
 * Creates a store of the keyframes of the shape that the follow tool moves; its value is null if there is no such shape. `look` reads the
 * shape and the current frame, and is called again when one of `watched` changes.
 */
export function createFollowToolKeyframeStore(
  watched: readonly ReadableAtom<unknown>[],
  look: () => { shape: Shape | undefined; frame: number },
): ReadableAtom<FollowToolKeyframeState | null> {
  let last: FollowToolKeyframeState | null = null
  return computed([...watched], () => {
    const { shape, frame } = look()
    if (!shape) {
      last = null
      return last
    }
    const frames = keyframesOf(shape).map(k => k.frame)
    const now = { frames, current: frames.indexOf(frame), hasRoom: hasRoomForKeyframe(shape, frame) }
    // The value stays the same object while nothing has changed, so that playback does not rerender the toolbar for every frame.
    if (!last || last.current !== now.current || last.hasRoom !== now.hasRoom || last.frames.join() !== frames.join()) last = now
    return last
  })
}
