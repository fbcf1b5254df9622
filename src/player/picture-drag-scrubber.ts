import type { ScrubDragMovement } from '../drawing/draw-pan-zoom-listeners.ts'
import type { VideoPlayer } from './video-player.ts'

/** A drag across the whole picture moves at most this many frames, so that a finger can still reach each frame of a long clip. */
const MAX_FRAMES_PER_WIDTH = 240

/** Makes a drag on the picture pause the video and scrub through it. Dragging right moves forward from the frame shown at the start. */
export function createPictureDragScrubber(player: Pick<VideoPlayer, '$frame' | '$frames' | 'showFrame' | 'pause'>) {
  let from = 0
  return ({ pixels, width, isStart }: ScrubDragMovement) => {
    if (isStart) {
      player.pause()
      from = player.$frame.get()
    }
    const frames = Math.min(MAX_FRAMES_PER_WIDTH, player.$frames.get())
    player.showFrame(from + Math.round((pixels / width) * frames))
  }
}
