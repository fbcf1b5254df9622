import { atom } from 'nanostores'
import { scrollToStage } from '../jump-to-stage-moment.ts'

/** Connects the button that plays a review with the stage that shows it, wherever the two are on the page. */
export function createReviewPlaybackHandle() {
  let play = () => {}
  return {
    /** Whether the review was played, or its stage used, since the page was opened. */
    $hasBegun: atom(false),
    /** Whether the review was played to its end. */
    $isFinished: atom(false),
    /** Whether `WatchButton` is visible on the screen. */
    $isButtonVisible: atom(false),
    /** Called by the stage with the function that the button calls. Returns a function that disconnects it. */
    connect(toPlay: () => void) {
      play = toPlay
      return () => {
        play = () => {}
      }
    },
    play() {
      play()
      scrollToStage()
    },
  }
}
export type ReviewPlaybackHandle = ReturnType<typeof createReviewPlaybackHandle>
