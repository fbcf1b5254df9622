import { useStore } from '@nanostores/react'
import { Mic, Pause, Square, TriangleAlert } from 'lucide-react'
import { useDeferredValue } from 'react'
import { MAX_VOICE_MS } from '../../../../modules/reviews/policy.ts'
import { Button } from '../../../ui/button.tsx'
import { cx } from '../../../ui/cx.ts'
import { formatMillisecondsAsClock } from '../../../ui/format-duration-and-size.ts'
import { ProgressBar } from '../../../ui/progress-bar.tsx'
import { Spinner } from '../../../ui/spinner.tsx'
import type { VoiceRecorder } from '../../../voice/voice-recorder.ts'

const icon = { size: 18, strokeWidth: 1.75, 'aria-hidden': true } as const
/** The time is highlighted when less than this remains. */
const WARN_REMAINING_MS = 20_000

/**
 * The controls of a recording in progress: level, time and buttons. The bar is below the video, or next to it on a short screen, so that
 * it covers nothing. Its width is fixed, so that no button shifts.
 */
export function RecordingBar({ recorder, onAgain }: { recorder: VoiceRecorder; onAgain: () => void }) {
  const recording = useStore(recorder.$recording)
  const problem = useStore(recorder.$problem)
  const { is } = recording
  const isNeeded = is !== 'idle' || problem !== undefined
  // Deferred, so that the pressed button is painted first.
  const open = useDeferredValue(isNeeded)
  if (!isNeeded || !open) return null
  return (
    <div
      className="mx-auto mt-2 flex w-140 max-w-[calc(100%-1rem)] flex-col gap-1 rounded-field border border-line bg-paper p-2 short:mx-0 short:mt-0 short:h-full short:w-36 short:max-w-none short:overflow-y-auto short:rounded-none short:border-y-0"
      data-recording={is}
    >
      {problem && (
        <p role="alert" className="flex max-w-prose items-start gap-2 px-1 text-14 font-medium text-red">
          <TriangleAlert {...icon} className="mt-0.5 shrink-0" />
          {problem}
        </p>
      )}
      {is === 'idle' ? (
        <div className="flex justify-end gap-2">
          <Button variant="quiet" size="sm" onClick={() => recorder.$problem.set(undefined)}>
            Close
          </Button>
          <Button size="sm" onClick={onAgain}>
            Try again
          </Button>
        </div>
      ) : (
        <div className="flex min-h-11 flex-wrap items-center gap-x-3 gap-y-1 short:gap-y-2">
          {is === 'asking' && <p className="px-1 text-14">Allow the microphone in your browser.</p>}
          {recording.is === 'counting' && (
            <p role="timer" aria-live="assertive" className="min-w-28 px-1 text-14">
              Start talking in <strong className="text-22 tabular-nums">{recording.left}</strong>
            </p>
          )}
          {(is === 'speaking' || is === 'paused') && <RecordingTime recorder={recorder} paused={is === 'paused'} />}
          {is === 'ending' && (
            <p role="status" className="flex items-center gap-2 px-1 text-14">
              <Spinner className="size-4" /> Saving your voice-over
            </p>
          )}
          {is !== 'asking' && is !== 'ending' && <MicrophoneLevel recorder={recorder} />}
          {/* Reserves the maximum width, so that buttons stay in place when one appears or changes its label. */}
          <span className="ml-auto flex min-w-68 justify-end gap-3 short:w-full short:min-w-0 short:flex-col short:gap-2">
            {is === 'speaking' && (
              <Button
                variant="secondary"
                size="sm"
                icon={<Pause {...icon} className="short:hidden" />}
                onClick={recorder.pause}
                className="short:px-1 short:text-13"
              >
                Pause recording
              </Button>
            )}
            {is === 'paused' && (
              <Button variant="secondary" size="sm" icon={<Mic {...icon} />} onClick={recorder.resume}>
                Continue
              </Button>
            )}
            {is !== 'ending' && (
              <Button
                size="sm"
                icon={<Square {...icon} size={14} fill="currentColor" />}
                className="min-w-24"
                onClick={() => void recorder.stop()}
              >
                {is === 'speaking' || is === 'paused' ? 'Stop' : 'Cancel'}
              </Button>
            )}
          </span>
        </div>
      )}
      <SilenceWarning recorder={recorder} />
    </div>
  )
}

function RecordingTime({ recorder, paused }: { recorder: VoiceRecorder; paused: boolean }) {
  const time = useStore(recorder.$time)
  return (
    <p className="flex min-w-28 items-center gap-2 px-1 text-14 tabular-nums">
      <span aria-hidden="true" className={cx('size-2.5 rounded-full', paused ? 'bg-line' : 'bg-red')} />
      <span className="sr-only">{paused ? 'Recording paused at' : 'Recording'}</span>
      <span className={cx('font-medium', MAX_VOICE_MS - time < WARN_REMAINING_MS && 'text-clay')}>
        {formatMillisecondsAsClock(time)} / {formatMillisecondsAsClock(MAX_VOICE_MS)}
      </span>
    </p>
  )
}

/** The microphone level on a logarithmic scale, because hearing is logarithmic. */
function MicrophoneLevel({ recorder }: { recorder: VoiceRecorder }) {
  const level = useStore(recorder.$level)
  const part = level > 0 ? Math.max(0, Math.min(1, 1 + Math.log10(level) / 2.4)) : 0
  return <ProgressBar label="Microphone level" value={Math.round(part * 100)} className="w-24!" />
}

function SilenceWarning({ recorder }: { recorder: VoiceRecorder }) {
  const silent = useStore(recorder.$silent)
  const { is } = useStore(recorder.$recording)
  return (
    <div role="status" className="empty:hidden">
      {silent && is !== 'paused' && (
        <p className="flex max-w-prose items-start gap-2 px-1 text-14 font-medium text-gold">
          <TriangleAlert {...icon} className="mt-0.5 shrink-0" />
          We cannot hear you. Check that your microphone is not muted and that the right one is selected in your browser.
        </p>
      )}
    </div>
  )
}
