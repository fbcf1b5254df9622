import { useEffect, useMemo, useRef, useState } from 'react'
import { type FrameTimeline, frameTimeline } from '../../modules/media/frames.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { FieldError } from '../ui/field.tsx'
import { formatClockHundredths } from '../ui/format-duration-and-size.ts'
import { ProgressBar } from '../ui/progress-bar.tsx'
import { findSwing } from './find-swing.ts'
import type { ProposedSwing } from './find-swing-by-sound.ts'
import type { FileInspection } from './inspect-file.ts'
import { describeFootageBeforeStart, trimVideoWithoutReencoding } from './trim-and-compress.ts'
import type { VideoToUpload } from './upload-video.ts'

/**
 * A file stores packets in decoding order, which may differ from presentation order, so a copied range may lack some of its last frames.
 * With this many extra frames, the copy has every chosen frame.
 */
const EXTRA_END_FRAMES = 4

/** The first and the last frame to keep. */
type TrimRange = { from: number; to: number }

/** Lets the player choose the part of a video with the swing, and copies that part into a new file without reencoding. */
export function TrimDialog({
  file,
  type,
  inspection,
  onClose,
  onTrimmed,
}: Pick<VideoToUpload, 'file' | 'type' | 'inspection'> & { onClose: () => void; onTrimmed: OnTrimmed }) {
  const [inspected, setInspected] = useState<FileInspection>()
  useEffect(() => void inspection.then(setInspected), [inspection])
  const times = useMemo(() => (inspected?.inside ? frameTimeline(inspected.inside.table) : null), [inspected])
  return times && inspected ? <TrimForm {...{ file, type, times, plays: inspected.plays, onClose, onTrimmed }} /> : null
}

/** `summary`: says how long the original was, and how much footage from before the chosen start the new file still contains. */
type OnTrimmed = (file: File, summary: string) => void

function TrimForm({
  file,
  type,
  times,
  plays,
  onClose,
  onTrimmed,
}: Pick<VideoToUpload, 'file' | 'type'> & { times: FrameTimeline; plays: boolean; onClose: () => void; onTrimmed: OnTrimmed }) {
  const last = times.frames - 1
  const [range, setRange] = useState<TrimRange>({ from: 0, to: last })
  const [progress, setProgress] = useState<number>()
  const [problem, setProblem] = useState<string>()
  const video = useRef<HTMLVideoElement>(null)
  const stop = useRef(new AbortController())
  const [url] = useState(() => URL.createObjectURL(file))
  useEffect(() => () => stop.current.abort(), [])
  useEffect(() => () => URL.revokeObjectURL(url), [url])

  /** The proposed part; undefined during the search, and null if the search found no swing. */
  const [swing, setSwing] = useState<ProposedSwing | null>()
  useEffect(() => {
    const closing = new AbortController()
    findSwing(file, times, closing.signal).then(found => closing.signal.aborted || setSwing(found))
    return () => closing.abort()
  }, [file, times])

  const start = times.start(0)
  const at = (seconds: number) => formatClockHundredths((seconds - start) * 1000)
  const length = times.end(range.to) - times.start(range.from)

  function move(change: Partial<TrimRange>) {
    const next = { ...range, ...change }
    if (next.from >= next.to) return
    setRange(next)
    if (video.current) video.current.currentTime = times.middle(change.from ?? change.to ?? 0)
  }

  function propose({ from, to, seconds }: ProposedSwing) {
    setRange({ from, to })
    if (video.current) video.current.currentTime = seconds
  }

  async function copy() {
    setProblem(undefined)
    setProgress(0)
    try {
      const part = { from: times.start(range.from), to: times.end(Math.min(last, range.to + EXTRA_END_FRAMES)) }
      const trimmed = await trimVideoWithoutReencoding(file, type, part, setProgress, stop.current.signal)
      onTrimmed(
        trimmed.file,
        `Trimmed from ${formatClockHundredths((times.end(last) - start) * 1000)}. ${describeFootageBeforeStart(trimmed)}`,
      )
    } catch {
      if (stop.current.signal.aborted) return
      setProgress(undefined)
      setProblem('This video cannot be trimmed here without losing quality. Trim it in your photo library, or upload all of it.')
    }
  }

  return (
    <Dialog
      open
      onOpenChange={open => open || onClose()}
      title="Trim to the action"
      about="Only this part is uploaded, in full quality. The file on your device stays as it is."
      footer={
        <>
          <Button variant="quiet" onClick={onClose}>
            Keep the whole video
          </Button>
          <Button busy={progress !== undefined} disabled={range.from === 0 && range.to === last} onClick={copy}>
            Trim to {length.toFixed(1)} s
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-3">
        {plays ? (
          <video
            ref={video}
            src={url}
            muted
            playsInline
            preload="auto"
            className="aspect-video max-h-[40dvh] w-full rounded-field bg-ink object-contain"
          />
        ) : (
          <p className="text-14 text-ink-2">This browser cannot show this video, but it can trim it.</p>
        )}
        <div role="status" className="flex min-h-11 items-center text-14 text-ink-2">
          {swing === undefined && 'Looking for the action…'}
          {swing === null && 'We could not find the action. Set the start and end below.'}
          {swing && (
            <Button variant="secondary" size="sm" onClick={() => propose(swing)}>
              Set to {swing.by === 'sound' ? 'the sound of the hit' : 'the strongest motion'} at {at(swing.seconds)}
            </Button>
          )}
        </div>
        <TrimHandle label="Start" value={range.from} last={last} time={at(times.start(range.from))} onChange={from => move({ from })} />
        <TrimHandle label="End" value={range.to} last={last} time={at(times.end(range.to))} onChange={to => move({ to })} />
        <p className="text-14 text-ink-2">
          {type === 'video/webm'
            ? 'The trimmed video may begin a moment before the start that you chose.'
            : 'A moment before the start stays in the file, but is never shown. To remove something for good, trim the video in your photo library.'}
        </p>
        {progress !== undefined && <ProgressBar label="Trimming" value={progress * 100} />}
        <FieldError id="trim-error" error={problem} />
      </div>
    </Dialog>
  )
}

/** A slider for the first or the last frame. */
const TrimHandle = ({
  label,
  value,
  last,
  time,
  onChange,
}: {
  label: string
  value: number
  last: number
  /** The chosen frame's time as readable text. */
  time: string
  onChange: (frame: number) => void
}) => (
  <label className="grid grid-cols-[3rem_1fr_auto] items-center gap-3 text-14">
    <span className="font-medium">{label}</span>
    <input
      type="range"
      min={0}
      max={last}
      step={1}
      value={value}
      aria-valuetext={time}
      onChange={e => onChange(Number(e.currentTarget.value))}
      className="h-11 w-full cursor-pointer accent-field"
    />
    <span className="tabular-nums">{time}</span>
  </label>
)
