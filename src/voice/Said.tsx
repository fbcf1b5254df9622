import { useStore } from '@nanostores/react'
import { Mic, Pause, Play } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Voice } from '../../modules/reviews/contract.ts'
import { IconButton } from '../ui/button.tsx'
import { cx } from '../ui/cx.ts'
import { formatClock, formatDuration } from '../ui/format.ts'
import { SpeedSelect } from '../ui/speed-select.tsx'
import { type Replay, TEMPOS } from './replay.ts'

const icon = { size: 20, strokeWidth: 1.75, 'aria-hidden': true } as const

/** A button that plays a voice-over, with its length; `of` says which one it is to who cannot see where it stands. */
export function PlayVoice({ voice, of, replay, className }: { voice: Voice; of: string; replay: Replay; className?: string }) {
  const shown = useStore(replay.$voice)
  const playing = useStore(replay.$playing) && shown?.id === voice.id
  return (
    <button
      type="button"
      aria-label={`${playing ? 'Pause' : 'Play'} the voice-over ${of}, ${formatDuration(voice.milliseconds)}`}
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
      {formatDuration(voice.milliseconds)}
    </button>
  )
}

/** A voice-over with all it takes to hear it: play, where it is, how fast. The video follows it. */
export function VoiceLine({ voice, title, replay, children }: { voice: Voice; title: string; replay: Replay; children?: ReactNode }) {
  const shown = useStore(replay.$voice)?.id === voice.id
  const playing = useStore(replay.$playing) && shown
  const tempo = useStore(replay.$tempo)
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
            <Position voice={voice} replay={replay} shown={shown} />
          </span>
          <Scrub voice={voice} replay={replay} shown={shown} />
        </span>
        <SpeedSelect label="Speed of the voice" value={tempo} speeds={TEMPOS} onChange={replay.tempo} />
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

interface Part {
  voice: Voice
  replay: Replay
  shown: boolean
}

function Position({ voice, replay, shown }: Part) {
  const time = useStore(replay.$time)
  return (
    <span className="ml-auto shrink-0 text-ink-2 tabular-nums">
      {formatClock(shown ? time : 0)} / {formatDuration(voice.milliseconds)}
    </span>
  )
}

function Scrub({ voice, replay, shown }: Part) {
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
