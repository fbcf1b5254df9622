import { atom } from 'nanostores'
import { isConfirmed, isPictureLate, type Loop, loadedPart, type PlayerState, type PlayerStatus, unprovenFrame } from './player-state.ts'

/**
 * What screens subscribe to: a store for each value of the player's state, so that a frame renders only what shows it. `$loop` may be set by
 * anybody: `setLoop` tells the machine, whose state comes back by `publish`.
 */
export function createPlayerStores(setLoop: (loop: Loop | null) => void) {
  const stores = {
    /** The frame the player is on, counted from 0. */
    $frame: atom(0),
    /** How many frames the clip has; 0 until that is known. */
    $frames: atom(0),
    /** When `$frame` begins, in whole milliseconds, rounded up. */
    $time: atom(0),
    /** Milliseconds of the clip; 0 until that is known. */
    $duration: atom(0),
    /** Whether the picture on the screen is known to be that of `$frame`. */
    $isConfirmed: atom(false),
    /** The frame of an original whose picture the browser gives no proof of, however often it is asked; else null. */
    $unprovenFrame: atom<number | null>(null),
    /** Whether the screen still shows the picture of an earlier frame after a noticeable time. */
    $isPictureLate: atom(false),
    $playing: atom(false),
    $speed: atom(1),
    $status: atom<PlayerStatus>('loading'),
    /** How much of the rendition has been downloaded, 0 to 1. */
    $loadedPart: atom(0),
    /** The frames that are played again and again. */
    $loop: atom<Loop | null>(null),
  }
  const publishLoop = stores.$loop.set
  stores.$loop.set = setLoop

  /**
   * Brings the stores to a state. No listener finds a frame under another's number: a confirmation goes before the frame changes, and comes
   * after it has changed.
   */
  function publish(state: PlayerState) {
    if (!isConfirmed(state)) stores.$isConfirmed.set(false)
    stores.$frames.set(state.length?.frames ?? 0)
    stores.$duration.set(state.length?.milliseconds ?? 0)
    stores.$frame.set(state.position.frame)
    stores.$time.set(state.position.milliseconds)
    stores.$playing.set(state.isPlaying)
    stores.$speed.set(state.speed)
    publishLoop(state.loop)
    stores.$loadedPart.set(loadedPart(state))
    stores.$isPictureLate.set(isPictureLate(state))
    stores.$isConfirmed.set(isConfirmed(state))
    stores.$unprovenFrame.set(unprovenFrame(state))
    stores.$status.set(state.media.status)
  }
  return { stores, publish }
}
