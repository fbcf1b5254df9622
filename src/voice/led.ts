import type { Player } from '../player/player.ts'
import type { Replay } from './replay.ts'

/** The player as hands reach it: whoever touches the stage while a voice leads it stops the voice and has the stage. */
export const led = (player: Player, replay: Replay): Player => {
  const own = <A extends unknown[]>(act: (...args: A) => void) => {
    return (...args: A) => {
      if (replay.$voice.get()) replay.leave()
      act(...args)
    }
  }
  return {
    ...player,
    // Play and pause are the voice's for as long as it speaks.
    toggle: () => (replay.$playing.get() ? replay.pause() : own(player.toggle)()),
    ...{
      showFrame: own(player.showFrame),
      step: own(player.step),
      seek: own(player.seek),
      goTo: own(player.goTo),
      setSpeed: own(player.setSpeed),
    },
  }
}
