import { useStore } from '@nanostores/react'
import { Pause, Play } from 'lucide-react'
import type { Voice } from '../../modules/reviews/contract.ts'
import { cx } from '../ui/cx.ts'
import { formatDurationMsAsClock } from '../ui/format-duration-and-size.ts'
import type { VoiceReplay } from './voice-over-playback.ts'

const icon = { size: 20, strokeWidth: 1.75, 'aria-hidden': true } as const

/** Plays or pauses a voice-over and shows its length. `of` completes the accessible name: 'of note 2'. */
export function VoicePlayButton({ voice, of, replay, className }: { voice: Voice; of: string; replay: VoiceReplay; className?: string }) {
  const shown = useStore(replay.$voice)
  const playing = useStore(replay.$playing) && shown?.id === voice.id
  return (
    <button
      type="button"
      aria-label={`${playing ? 'Pause' : 'Play'} the voice-over ${of}, ${formatDurationMsAsClock(voice.milliseconds)}`}
      onClick={() => replay.toggle(voice)}
      className={cx(
        'inline-flex min-h-11 items-center gap-1.5 rounded-full pr-3 pl-1 text-14 font-medium tabular-nums hover:bg-ink-wash',
        shown?.id === voice.id && 'bg-field-wash text-field',
        className,
      )}
    >
      <span aria-hidden="true" className="grid size-9 place-items-center rounded-full bg-field text-on-fill">
        {playing ? (
          <Pause {...icon} size={18} fill="currentColor" />
        ) : (
          <Play {...icon} size={18} fill="currentColor" className="translate-x-px" />
        )}
      </span>
      {formatDurationMsAsClock(voice.milliseconds)}
    </button>
  )
}
