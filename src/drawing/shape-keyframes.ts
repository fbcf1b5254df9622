import { computed, type ReadableAtom } from 'nanostores'
import type { Shape } from '../../modules/reviews/contract.ts'
import { hasRoomForKeyframe, keyframesOf } from './timed-shapes.ts'

/** The frames at which the shape that is getting keyframes has a place. */
export interface ShapeKeyframes {
  frames: readonly number[]
  /** Index of the place at the current frame; -1 in between. */
  current: number
  /** Whether the shape can have a place at the current frame. */
  hasRoom: boolean
}

/**
 * A store of the places of the shape that is getting keyframes; null without one. `look` reads the shape and the current frame, and is
 * called again when one of `watched` changes.
 */
export function createShapeKeyframesStore(
  watched: readonly ReadableAtom<unknown>[],
  look: () => { shape: Shape | undefined; frame: number },
): ReadableAtom<ShapeKeyframes | null> {
  let last: ShapeKeyframes | null = null
  return computed([...watched], () => {
    const { shape, frame } = look()
    if (!shape) {
      last = null
      return last
    }
    const frames = keyframesOf(shape).map(k => k.frame)
    const now = { frames, current: frames.indexOf(frame), hasRoom: hasRoomForKeyframe(shape, frame) }
    // The same object while nothing changed, so that playing does not render the toolbar at every frame.
    if (!last || last.current !== now.current || last.hasRoom !== now.hasRoom || last.frames.join() !== frames.join()) last = now
    return last
  })
}
