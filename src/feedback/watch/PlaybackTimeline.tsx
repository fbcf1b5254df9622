import { useStore } from '@nanostores/react'
import { formatDurationMsAsClock, formatMillisecondsAsClock } from '../../ui/format-duration-and-size.ts'
import type { ReviewPlayback } from './review-playback.ts'
import { chapterOf } from './review-playlist.ts'

/** The whole review as one line: a bar for each chapter, and a slider over all of them. It replaces the frame strip, at the same height. */
export function PlaybackTimeline({ playback }: { playback: ReviewPlayback }) {
  const { playlist } = playback
  const position = useStore(playback.$position)
  const chapter = chapterOf(playlist, useStore(playback.$segment))
  const ends = playlist.chapters.map((_, i) => playlist.chapters[i + 1]?.start ?? playlist.milliseconds)
  return (
    <div className="relative isolate h-16 px-2 [contain:layout_size]">
      <p className="flex h-6 items-end justify-between gap-3 text-13 font-medium">
        <span className="truncate">{chapter?.title}</span>
        <span className="shrink-0 text-ink-2 tabular-nums">
          {formatMillisecondsAsClock(position)} / {formatDurationMsAsClock(playlist.milliseconds)}
        </span>
      </p>
      <input
        type="range"
        aria-label="Position in the review"
        aria-valuetext={`${formatMillisecondsAsClock(position)} of ${formatDurationMsAsClock(playlist.milliseconds)}, ${chapter?.title ?? ''}`}
        min={0}
        max={Math.ceil(playlist.milliseconds)}
        step={100}
        value={Math.round(position)}
        onChange={e => playback.seek(Number(e.currentTarget.value))}
        className="peer absolute inset-x-2 bottom-0 z-1 h-11 w-[calc(100%-1rem)] cursor-pointer touch-pan-y appearance-none bg-transparent outline-none [&::-moz-range-thumb]:size-4 [&::-moz-range-thumb]:border-0 [&::-moz-range-thumb]:bg-field [&::-webkit-slider-thumb]:size-4 [&::-webkit-slider-thumb]:appearance-none [&::-webkit-slider-thumb]:rounded-full [&::-webkit-slider-thumb]:bg-field"
      />
      {/* The bar carries the focus ring, because a ring around the taller slider would cross the title. */}
      <span
        aria-hidden="true"
        className="absolute inset-x-2 bottom-4.5 flex h-2 gap-0.5 rounded-full outline-sky peer-focus-visible:outline-3 peer-focus-visible:outline-offset-4"
      >
        {playlist.chapters.map(({ title, segment, start }, i) => (
          <span
            key={segment}
            title={title}
            className="relative overflow-hidden rounded-full bg-line"
            style={{ flexGrow: ends[i]! - start, flexBasis: 0 }}
          >
            <span
              className="absolute inset-0 origin-left bg-field"
              style={{ transform: `scaleX(${Math.max(0, Math.min(1, (position - start) / (ends[i]! - start)))})` }}
            />
          </span>
        ))}
      </span>
    </div>
  )
}
