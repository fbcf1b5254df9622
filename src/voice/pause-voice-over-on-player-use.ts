import type { VideoPlayer } from '../player/video-player.ts'
import type { VoiceReplay } from './voice-over-playback.ts'

/** A player for controls and keys: using it while a voice-over controls the stage pauses the voice-over and lets the viewer take over. */
export const createVoiceOverPausingPlayer = (player: VideoPlayer, replay: VoiceReplay): VideoPlayer => {
  const afterLeaving = <A extends unknown[]>(act: (...args: A) => void) => {
    return (...args: A) => {
      if (replay.$voice.get()) replay.leave()
      act(...args)
    }
  }
  return {
    ...player,
    // While the voice-over plays, the play button pauses it instead of the video.
    toggle: () => (replay.$playing.get() ? replay.pause() : afterLeaving(player.toggle)()),
    showFrame: afterLeaving(player.showFrame),
    step: afterLeaving(player.step),
    seek: afterLeaving(player.seek),
    goTo: afterLeaving(player.goTo),
    setSpeed: afterLeaving(player.setSpeed),
  }
}
