import { useStore } from '@nanostores/react'
import { Mic, Pause, Play } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Voice } from '../../modules/reviews/contract.ts'
import { IconButton } from '../ui/button.tsx'
import { formatClock, formatDuration } from '../ui/format.ts'
import { SpeedSelect } from '../ui/speed-select.tsx'
import { VOICE_SPEEDS, type VoiceReplay } from './voice-replay.ts'

const icon = { size: 20, strokeWidth: 1.75, 'aria-hidden': true } as const

/** Plays a voice-over with a position slider and a speed. The video on the stage follows the voice. */
export function VoicePlayer({
  voice,
  title,
  replay,
  children,
}: {
  voice: Voice
  title: string
  replay: VoiceReplay
  children?: ReactNode
}) {
  const shown = useStore(replay.$voice)?.id === voice.id
  const playing = useStore(replay.$playing) && shown
  const speed = useStore(replay.$speed)
  const problem = useStore(replay.$problem)
  return (
    <section aria-label={title} className="border-t border-line bg-paper py-1 pr-2 pl-4">
      <div className="flex items-center gap-1">
        <IconButton
          variant="primary"
          label={`${playing ? 'Pause' : 'Play'} the voice-over`}
          onClick={() => replay.toggle(voice)}
          className="rounded-full!"
        >
          {playing ? <Pause {...icon} fill="currentColor" /> : <Play {...icon} fill="currentColor" className="translate-x-px" />}
        </IconButton>
        <span className="min-w-0 flex-1">
          <span className="flex items-center gap-1.5 px-2 text-13 font-medium">
            <Mic aria-hidden="true" size={14} strokeWidth={2} className="shrink-0 text-field" />
            <span className="truncate">{title}</span>
            <PositionText voice={voice} replay={replay} shown={shown} />
          </span>
          <PositionSlider voice={voice} replay={replay} shown={shown} />
        </span>
        <SpeedSelect label="Speed of the voice" value={speed} speeds={VOICE_SPEEDS} onChange={replay.speed} />
        {children}
      </div>
      {shown && problem && (
        <p role="alert" className="px-2 pb-1 text-14 font-medium text-red">
          {problem}
        </p>
      )}
    </section>
  )
}

interface VoiceProps {
  voice: Voice
  replay: VoiceReplay
  shown: boolean
}

function PositionText({ voice, replay, shown }: VoiceProps) {
  const time = useStore(replay.$time)
  return (
    <span className="ml-auto shrink-0 text-ink-2 tabular-nums">
      {formatClock(shown ? time : 0)} / {formatDuration(voice.milliseconds)}
    </span>
  )
}

function PositionSlider({ voice, replay, shown }: VoiceProps) {
  const time = useStore(replay.$time)
  const at = shown ? time : 0
  return (
    <input
      type="range"
      aria-label="Position in the voice-over"
      aria-valuetext={`${formatClock(at)} of ${formatDuration(voice.milliseconds)}`}
      min={0}
      max={voice.milliseconds}
      step={100}
      value={at}
      onChange={e => {
        const to = Number(e.currentTarget.value)
        if (shown) replay.seek(to)
        else replay.open(voice, to)
      }}
      className="-my-1.5 block h-11 w-full cursor-pointer accent-field"
    />
  )
}
