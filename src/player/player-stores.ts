import { atom } from 'nanostores'
import {
  downloadedFraction,
  frameUnconfirmedAfterRetries,
  isFrameProven,
  isPictureLate,
  type PlaybackLoop,
  type VideoPlayerMediaStatus,
  type VideoPlayerState,
} from './player-state-and-selectors.ts'

/**
 * The stores that screens subscribe to, one for each value of the player's state, so that a new frame renders only the components that show
 * it. Screens may set `$loop`: `setLoop` sends the change to the state machine, and the result comes back through `publish`.
 */
export function createVideoPlayerStores(setLoop: (loop: PlaybackLoop | null) => void) {
  const stores = {
    /** The current frame, counted from 0. */
    $frame: atom(0),
    /** The number of frames in the clip; 0 until it is known. */
    $frames: atom(0),
    /** Start of `$frame` in whole milliseconds, rounded up. */
    $time: atom(0),
    /** The length of the clip in milliseconds; 0 until it is known. */
    $duration: atom(0),
    /** Whether the picture on the screen is known to show `$frame`. */
    $isConfirmed: atom(false),
    /** The current frame of an original if its picture could not be confirmed, even after retries; otherwise null. */
    $unprovenFrame: atom<number | null>(null),
    /** Whether the screen still shows an earlier frame after a noticeable time. */
    $isPictureLate: atom(false),
    $playing: atom(false),
    $speed: atom(1),
    $status: atom<VideoPlayerMediaStatus>('loading'),
    /** While the video loads, the fraction of the rendition that has been downloaded. */
    $loadedPart: atom(0),
    /** The frames that are looped; null if there is no loop. */
    $loop: atom<PlaybackLoop | null>(null),
  }
  const publishLoop = stores.$loop.set
  stores.$loop.set = setLoop

  /**
   * Updates the stores from a state. No listener may see a frame with the confirmation of another frame, so a lost confirmation is
   * published before the frame changes, and a new one after it.
   */
  function publish(state: VideoPlayerState) {
    if (!isFrameProven(state)) stores.$isConfirmed.set(false)
    stores.$frames.set(state.length?.frames ?? 0)
    stores.$duration.set(state.length?.milliseconds ?? 0)
    stores.$frame.set(state.position.frame)
    stores.$time.set(state.position.milliseconds)
    stores.$playing.set(state.isPlaying)
    stores.$speed.set(state.speed)
    publishLoop(state.loop)
    stores.$loadedPart.set(downloadedFraction(state))
    stores.$isPictureLate.set(isPictureLate(state))
    stores.$isConfirmed.set(isFrameProven(state))
    stores.$unprovenFrame.set(frameUnconfirmedAfterRetries(state))
    stores.$status.set(state.media.status)
  }
  return { stores, publish }
}
