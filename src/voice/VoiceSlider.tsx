import { useStore } from '@nanostores/react'
import type { Voice } from '../../modules/reviews/contract.ts'
import { formatDurationMsAsClock, formatMillisecondsAsClock } from '../ui/format-duration-and-size.ts'
import type { VoiceReplay } from './voice-over-playback.ts'

/**
 * A slider to seek in a voice-over. While that voice-over is not open, the slider is at the start, and moving it opens the voice-over
 * at the chosen position. `of` completes its label: 'of note 2'.
 */
export function VoiceSlider({ voice, of, replay }: { voice: Voice; of: string; replay: VoiceReplay }) {
  const isOpen = useStore(replay.$voice)?.id === voice.id
  const time = useStore(replay.$time)
  const at = isOpen ? time : 0
  return (
    <input
      type="range"
      aria-label={`Position in the voice-over ${of}`}
      aria-valuetext={`${formatMillisecondsAsClock(at)} of ${formatDurationMsAsClock(voice.milliseconds)}`}
      min={0}
      max={voice.milliseconds}
      step={50}
      value={Math.round(at)}
      onChange={e => {
        if (!isOpen) replay.open(voice, Number(e.currentTarget.value))
        else replay.seek(Number(e.currentTarget.value))
      }}
      className="h-11 w-full cursor-pointer touch-pan-y accent-field"
    />
  )
}
