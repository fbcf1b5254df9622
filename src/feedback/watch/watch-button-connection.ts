import { atom } from 'nanostores'
import { scrollToStage } from '../jump-to-stage-moment.ts'

/** Connects `WatchButton`, which plays a review, with the stage that shows it, wherever the two are on the page. */
export function createWatchButtonConnection() {
  let play = () => {}
  return {
    /** Whether the viewer has played the review or chosen one of its notes since the page was opened. */
    $hasBegun: atom(false),
    /** Whether the review has been played to its end. */
    $isFinished: atom(false),
    /** Whether `WatchButton` is visible on the screen. */
    $isButtonVisible: atom(false),
    /** The stage passes the function that starts the playback; `play` calls it. @returns a function that disconnects the stage */
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
export type WatchButtonConnection = ReturnType<typeof createWatchButtonConnection>
