import { useEffect, useMemo, useRef, useState } from 'react'
import { type Timeline, timeline } from '../../modules/media/frames.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { FieldError } from '../ui/field.tsx'
import { formatClockHundredths } from '../ui/format.ts'
import { ProgressBar } from '../ui/progress-bar.tsx'
import { cut, remains } from './edit.ts'
import type { Inspected } from './inspect.ts'
import type { Sending } from './sending.ts'

/** A copied end is cut between packets, which are not in the order of the pictures: so many frames more, and none is missing. */
const MORE = 4

type Ends = { from: number; to: number }

/** Chooses the part of a video with the swing and copies it out, without encoding a picture again. */
export function Trim({
  file,
  type,
  found,
  onClose,
  onCut,
}: Pick<Sending, 'file' | 'type' | 'found'> & { onClose: () => void; onCut: (file: File, said: string) => void }) {
  const [seen, setSeen] = useState<Inspected>()
  useEffect(() => void found.then(setSeen), [found])
  const times = useMemo(() => (seen?.inside ? timeline(seen.inside.table) : null), [seen])
  return times && seen ? <Chooser {...{ file, type, times, plays: seen.plays, onClose, onCut }} /> : null
}

function Chooser({
  file,
  type,
  times,
  plays,
  onClose,
  onCut,
}: Pick<Sending, 'file' | 'type'> & { times: Timeline; plays: boolean; onClose: () => void; onCut: (file: File, said: string) => void }) {
  const last = times.frames - 1
  const [ends, setEnds] = useState<Ends>({ from: 0, to: last })
  const [progress, setProgress] = useState<number>()
  const [wrong, setWrong] = useState<string>()
  const video = useRef<HTMLVideoElement>(null)
  const stop = useRef(new AbortController())
  const [url] = useState(() => URL.createObjectURL(file))
  useEffect(() => () => stop.current.abort(), [])
  useEffect(() => () => URL.revokeObjectURL(url), [url])

  const start = times.start(0)
  const at = (seconds: number) => formatClockHundredths((seconds - start) * 1000)
  const length = times.end(ends.to) - times.start(ends.from)

  function move(change: Partial<Ends>) {
    const next = { ...ends, ...change }
    if (next.from >= next.to) return
    setEnds(next)
    if (video.current) video.current.currentTime = times.middle(change.from ?? change.to ?? 0)
  }

  async function copy() {
    setWrong(undefined)
    setProgress(0)
    try {
      const part = { from: times.start(ends.from), to: times.end(Math.min(last, ends.to + MORE)) }
      const made = await cut(file, type, part, setProgress, stop.current.signal)
      onCut(made.file, `Trimmed from ${formatClockHundredths((times.end(last) - start) * 1000)}. ${remains(made)}`)
    } catch {
      if (stop.current.signal.aborted) return
      setProgress(undefined)
      setWrong('This file cannot be cut without encoding it anew. Trim it in your gallery, or upload all of it.')
    }
  }

  return (
    <Dialog
      open
      onOpenChange={open => open || onClose()}
      title="Trim to the swing"
      about="Only this part goes up. The pictures are copied as they are, and the file on your device stays."
      footer={
        <>
          <Button variant="quiet" onClick={onClose}>
            Keep it whole
          </Button>
          <Button busy={progress !== undefined} disabled={ends.from === 0 && ends.to === last} onClick={copy}>
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
          <p className="text-14 text-ink-2">This browser cannot show it, but it can cut it.</p>
        )}
        <End label="Start" value={ends.from} last={last} said={at(times.start(ends.from))} onChange={from => move({ from })} />
        <End label="End" value={ends.to} last={last} said={at(times.end(ends.to))} onChange={to => move({ to })} />
        <p className="text-14 text-ink-2">
          {type === 'video/webm'
            ? 'It begins at the last whole picture before the start, a moment earlier.'
            : 'A moment before the start stays in the file, where nobody sees it. To take something out for good, trim it in your gallery.'}
        </p>
        {progress !== undefined && <ProgressBar label="Trimming" value={progress * 100} />}
        <FieldError id="trim-error" error={wrong} />
      </div>
    </Dialog>
  )
}

/** One end of the part, by whole frames. */
const End = ({
  label,
  value,
  last,
  said,
  onChange,
}: {
  label: string
  value: number
  last: number
  said: string
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
      aria-valuetext={said}
      onChange={e => onChange(Number(e.currentTarget.value))}
      className="h-11 w-full cursor-pointer accent-field"
    />
    <span className="tabular-nums">{said}</span>
  </label>
)
