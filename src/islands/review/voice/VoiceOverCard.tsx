import { useStore } from '@nanostores/react'
import { Check, CloudOff, Layers, MapPin, RotateCcw, Scissors, Trash2, TriangleAlert } from 'lucide-react'
import { useRef, useState } from 'react'
import type { Voice } from '../../../../modules/reviews/contract.ts'
import { useDraftListSelector } from '../../../draft/draft-selector-hooks.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { cx } from '../../../ui/cx.ts'
import { formatMillisecondsAsClock } from '../../../ui/format-duration-and-size.ts'
import { Spinner } from '../../../ui/spinner.tsx'
import type { VoiceUploadState } from '../../../voice/draft-voice-overs.ts'
import { VoicePlayButton } from '../../../voice/VoicePlayButton.tsx'
import { VoiceSlider } from '../../../voice/VoiceSlider.tsx'
import type { StudioVoice } from './studio-voice.ts'

const icon = { size: 16, strokeWidth: 2, 'aria-hidden': true } as const

const UPLOAD_STATES: Record<VoiceUploadState, { words: string; tone: string; mark: React.ReactNode }> = {
  here: { words: 'Saved on this device', tone: 'text-gold', mark: <CloudOff {...icon} /> },
  sending: { words: 'Uploading', tone: 'text-ink-2', mark: <Spinner className="size-4" /> },
  saved: { words: 'Saved', tone: 'text-ink-2', mark: <Check {...icon} /> },
  refused: { words: 'Upload refused. Reload the page', tone: 'text-red', mark: <TriangleAlert {...icon} /> },
}

const focusWhenMounted = (button: HTMLButtonElement | null) => button?.focus()

/** A voice-over of the draft, with controls to play, rerecord, move or delete it, and its upload state. */
export function VoiceOverCard({
  voice,
  of,
  whole = false,
  studioVoice,
}: {
  voice: Voice
  /** The end of the controls' labels, such as 'of note 2' or 'over the whole review'. */
  of: string
  /** Whether the voice-over belongs to the whole review rather than to a note. */
  whole?: boolean
  studioVoice: StudioVoice
}) {
  const where = useStore(studioVoice.voices.$uploadStates)[voice.id]
  const { is } = useStore(studioVoice.recorder.$recording)
  const isOpen = useStore(studioVoice.replay.$voice)?.id === voice.id
  const [confirmsDelete, setConfirmsDelete] = useState(false)
  const bin = useRef<HTMLButtonElement>(null)
  /** Hides the Keep and Delete buttons, and returns the focus to the trash button, because the pressed button disappears. */
  const keep = () => {
    setConfirmsDelete(false)
    setTimeout(() => bin.current?.focus())
  }
  return (
    <div className="flex flex-wrap items-center gap-1" data-voice={voice.id} data-where={where}>
      <VoicePlayButton voice={voice} of={of} replay={studioVoice.replay} />
      {where && (
        <span role="status" className={cx('flex items-center gap-1 text-13', UPLOAD_STATES[where].tone)}>
          {UPLOAD_STATES[where].mark}
          {UPLOAD_STATES[where].words}
        </span>
      )}
      <span className="flex-1" />
      {confirmsDelete ? (
        <>
          {/* The trash button, which had the focus, has just disappeared. Without focus, the next Enter would be a shortcut. */}
          <Button ref={focusWhenMounted} variant="quiet" size="sm" onClick={keep}>
            Keep
          </Button>
          <Button variant="danger" size="sm" onClick={() => void studioVoice.deleteVoice(voice.id)}>
            Delete
          </Button>
        </>
      ) : (
        <>
          <IconButton
            label={`Trim or split the voice-over ${of}`}
            onClick={() => studioVoice.division.divide(voice)}
            className="text-ink-2"
          >
            <Scissors {...icon} size={18} />
          </IconButton>
          <IconButton
            label={`Record the voice-over ${of} again`}
            disabled={is !== 'idle'}
            onClick={() => studioVoice.recordAgain(voice)}
            className="text-ink-2"
          >
            <RotateCcw {...icon} size={18} />
          </IconButton>
          {whole ? (
            <IconButton label="Pin the voice-over to the frame shown" onClick={() => studioVoice.pinToFrame(voice)} className="text-ink-2">
              <MapPin {...icon} size={18} />
            </IconButton>
          ) : (
            <IconButton
              label={`Move the voice-over ${of} to Overall`}
              onClick={() => studioVoice.detachFromNote(voice)}
              className="text-ink-2"
            >
              <Layers {...icon} size={18} />
            </IconButton>
          )}
          <IconButton ref={bin} label={`Delete the voice-over ${of}`} onClick={() => setConfirmsDelete(true)} className="text-ink-2">
            <Trash2 {...icon} size={18} />
          </IconButton>
        </>
      )}
      {isOpen && <VoiceSlider {...{ voice, of }} replay={studioVoice.replay} />}
    </div>
  )
}

/** Voice-overs that cover the whole review instead of a note, and recordings on this device that a crash interrupted. */
export function WholeReviewVoiceOvers({ studioVoice }: { studioVoice: StudioVoice }) {
  const retakeIds = useStore(studioVoice.division.$retakeIds)
  const unpinned = useDraftListSelector(studioVoice.autosavedDraft, ({ voices = [], notes }) =>
    voices.filter(v => !notes.some(n => n.voice === v.id)),
  )
  // A retake belongs to a part of the voice-over that is being divided, and is listed there.
  const whole = unpinned.filter(v => !retakeIds.includes(v.id))
  const recoverable = useStore(studioVoice.voices.$recoverable)
  if (!whole.length && !recoverable.length) return null
  return (
    <div className="mb-3 flex flex-col gap-2">
      {recoverable.map(recording => (
        <div
          key={recording.voice.id}
          role="status"
          className="flex flex-wrap items-center gap-2 rounded-field border border-gold p-2 text-14"
        >
          <span className="flex-1">
            Your voice-over from {new Intl.DateTimeFormat('en-US', { hour: 'numeric', minute: '2-digit' }).format(recording.began)} is still
            here ({formatMillisecondsAsClock(recording.voice.milliseconds)}).
          </span>
          <Button variant="quiet" size="sm" onClick={() => void studioVoice.deleteVoice(recording.voice.id)}>
            Delete it
          </Button>
          <Button size="sm" onClick={() => void studioVoice.recover(recording)}>
            Keep it
          </Button>
        </div>
      ))}
      {whole.length > 0 && (
        <section aria-label="Overall" className="rounded-field border border-line p-2">
          <p className="px-2 pb-1 text-13 font-medium text-ink-2">Overall</p>
          {whole.map(voice => (
            <VoiceOverCard key={voice.id} voice={voice} of="over the whole review" whole studioVoice={studioVoice} />
          ))}
        </section>
      )}
    </div>
  )
}
