import { useStore } from '@nanostores/react'
import { ListCollapse, Pause, Play, RotateCcw, Scissors, Trash2 } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { Voice } from '../../../../modules/reviews/contract.ts'
import { useCommand } from '../../../client/use-command.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { cx } from '../../../ui/cx.ts'
import { FormError, TextField } from '../../../ui/field.tsx'
import { formatMillisecondsAsClock } from '../../../ui/format-duration-and-size.ts'
import { VoiceSlider } from '../../../voice/VoiceSlider.tsx'
import { MIN_VOICE_PART_MS, mergeWithNextVoicePart, splitVoicePartAt, type VoicePart } from '../../../voice/voice-parts.ts'
import type { StudioStore } from '../studio-store.ts'
import type { NamedVoicePart } from './split-voice-over-into-notes.ts'
import type { StudioVoice } from './studio-voice.ts'

const icon = { size: 18, strokeWidth: 1.75, 'aria-hidden': true } as const

/** Returns the part without its retake, so that it has its original sound again. */
const withoutRetake = <P extends VoicePart & { retake?: Voice }>({ retake: _, ...part }: P) => part

/**
 * The parts of a voice-over. The instructor names, trims, splits, merges or deletes them before they become notes; only then is the sound
 * cut.
 */
export function VoicePartsEditor({ voice, studio, studioVoice }: { voice: Voice; studio: StudioStore; studioVoice: StudioVoice }) {
  const { replay, division } = studioVoice
  const clips = useStore(studio.$clips)
  const parts = useStore(division.$parts)
  const setParts = (changed: readonly NamedVoicePart[]) => division.changeParts(() => changed)
  const time = useStore(replay.$time)
  const isHeard = useStore(replay.$voice)?.id === voice.id
  const isPlaying = useStore(replay.$playing) && isHeard
  const at = isHeard ? time : 0
  const [endsAt, setEndsAt] = useState<number>()
  const command = useCommand()
  useEffect(() => {
    if (endsAt === undefined || !isPlaying || time < endsAt) return
    setEndsAt(undefined)
    replay.pause()
  }, [replay, isPlaying, time, endsAt])

  const { is } = useStore(studioVoice.recorder.$recording)
  const close = () => {
    replay.close()
    division.end()
  }
  const change = (i: number, changed: Partial<NamedVoicePart>) =>
    setParts(parts.map((part, n) => (n === i ? { ...part, ...changed } : part)))
  /** Gives a part another start or end. The part loses its retake, which was recorded for the previous cut. */
  const cut = (i: number, bounds: { from: number } | { to: number }) => change(i, { ...bounds, retake: undefined })
  /** Gives each changed part the name of the old part with the same start, if any. It loses its retake, made for the old cut. */
  const withNames = (changed: VoicePart[]) =>
    changed.map(part => parts.find(p => p === part) ?? { ...withoutRetake(part), name: parts.find(p => p.from === part.from)?.name ?? '' })
  const canSplit = parts.some(p => at - p.from >= MIN_VOICE_PART_MS && p.to - at >= MIN_VOICE_PART_MS)
  function play({ from, to, retake }: NamedVoicePart) {
    setEndsAt(retake ? undefined : to)
    if (retake) {
      void replay.play(retake, 0)
      return
    }
    void replay.play(voice, from)
  }
  const apply = () =>
    command.run(async () => {
      const refusal = await division.createNotes()
      if (refusal) throw new Error(refusal)
    })

  return (
    <section aria-label="Parts of the voice-over" className="mb-4 flex flex-col gap-3 rounded-field border border-edge p-3">
      <h2 className="text-18">Parts of your voice-over</h2>
      <p className="text-13 text-ink-2">Each part becomes a note with its frame, drawings and audio. You can record any part again.</p>
      <div className="flex items-center gap-2">
        <IconButton
          label={isPlaying ? 'Pause the voice-over' : 'Play the voice-over'}
          onClick={() => {
            setEndsAt(undefined)
            replay.toggle(voice)
          }}
        >
          {isPlaying ? <Pause {...icon} /> : <Play {...icon} />}
        </IconButton>
        <VoiceSlider {...{ voice, replay }} of="you are splitting" />
        <span className="text-13 whitespace-nowrap tabular-nums">
          {formatMillisecondsAsClock(at)} / {formatMillisecondsAsClock(voice.milliseconds)}
        </span>
      </div>
      <Button
        variant="secondary"
        size="sm"
        className="self-start"
        disabled={!canSplit}
        icon={<Scissors {...icon} />}
        onClick={() => setParts(withNames(splitVoicePartAt(voice, parts, Math.round(at))))}
      >
        Split here
      </Button>
      <ol className="flex flex-col gap-3">
        {parts.map((part, i) => {
          const number = i + 1
          const clip = clips.findIndex(c => c.id === part.video)
          const isAt = at > part.from && at < part.to
          const next = parts[i + 1]
          return (
            <li key={part.from} className={cx('flex flex-col gap-2 border-t border-line pt-3', isAt && 'border-field')}>
              <TextField
                label={`Name of part ${number}`}
                placeholder="What is it about?"
                value={part.name}
                onChange={e => change(i, { name: e.currentTarget.value })}
              />
              <div className="flex flex-wrap items-center gap-1">
                <Button
                  variant="quiet"
                  size="sm"
                  className="tabular-nums"
                  icon={<Play {...icon} />}
                  aria-label={`Play part ${number}, ${formatMillisecondsAsClock(part.from)} to ${formatMillisecondsAsClock(part.to)}`}
                  onClick={() => play(part)}
                >
                  {formatMillisecondsAsClock(part.from)}–{formatMillisecondsAsClock(part.to)}
                </Button>
                <span className="flex-1 text-13 text-ink-2 tabular-nums">
                  {part.retake && `Recorded again, ${formatMillisecondsAsClock(part.retake.milliseconds)}. `}
                  {clips.length > 1 && `Video ${clip + 1}, `}frame {part.frame + 1}
                </span>
                {part.retake && (
                  <Button variant="quiet" size="sm" onClick={() => setParts(parts.map((p, n) => (n === i ? withoutRetake(p) : p)))}>
                    Use first take
                  </Button>
                )}
                <IconButton
                  label={`Record part ${number} again`}
                  disabled={is !== 'idle'}
                  onClick={() => studioVoice.recordPartAgain(part)}
                >
                  <RotateCcw {...icon} />
                </IconButton>
                {next?.from === part.to && (
                  <IconButton
                    label={`Merge part ${number} with the next`}
                    onClick={() => setParts(withNames(mergeWithNextVoicePart(parts, i)))}
                  >
                    <ListCollapse {...icon} />
                  </IconButton>
                )}
                {parts.length > 1 && (
                  <IconButton label={`Delete part ${number}`} onClick={() => setParts(parts.filter(p => p !== part))}>
                    <Trash2 {...icon} />
                  </IconButton>
                )}
              </div>
              {isAt && (
                <div className="flex flex-wrap gap-2">
                  <Button
                    variant="secondary"
                    size="sm"
                    disabled={part.to - at < MIN_VOICE_PART_MS}
                    onClick={() => cut(i, { from: Math.round(at) })}
                  >
                    Start part {number} here
                  </Button>
                  <Button
                    variant="secondary"
                    size="sm"
                    disabled={at - part.from < MIN_VOICE_PART_MS}
                    onClick={() => cut(i, { to: Math.round(at) })}
                  >
                    End part {number} here
                  </Button>
                </div>
              )}
            </li>
          )
        })}
      </ol>
      <FormError>{command.message}</FormError>
      <div className="flex flex-wrap justify-end gap-2">
        {/* Disabled while a part is being recorded again, because that retake would come too late. */}
        <Button variant="quiet" disabled={is !== 'idle'} onClick={close}>
          Keep as one
        </Button>
        <Button busy={command.busy} disabled={is !== 'idle'} onClick={apply}>
          {parts.length > 1 ? `Create ${parts.length} notes` : 'Keep this part'}
        </Button>
      </div>
    </section>
  )
}
