import { useStore } from '@nanostores/react'
import type { Video } from '../../modules/folders/contract.ts'
import { cx } from '../ui/cx.ts'
import { ProgressBar } from '../ui/progress-bar.tsx'
import { Spinner } from '../ui/spinner.tsx'
import { isBeingPrepared, isRenditionAwaited, preparationLabel } from './clip-preparation-status.ts'
import type { VideoPlayer } from './video-player.ts'

const percent = (part: number) => `${Math.floor(part * 100)}%`
const LINK_CLASS = 'inline-flex min-h-11 items-center font-medium underline'

function Loading({ player }: { player: VideoPlayer }) {
  const loaded = useStore(player.$loadedPart)
  return (
    <p className="grid justify-items-center gap-1 rounded-field bg-shade px-4 py-3 text-14 tabular-nums">
      <Spinner className="size-8" />
      <span className="sr-only">Loading the video</span>
      {/* The space for the number is reserved from the start, so that nothing moves when it appears. */}
      <span aria-hidden="true" className="min-h-5 min-w-11 text-left">
        {loaded > 0 && percent(loaded)}
      </span>
    </p>
  )
}

/** Explains why this device shows no picture, and what the viewer can do. */
function Unplayable({ clip }: { clip: Video }) {
  const { rendition } = clip
  if (rendition && isBeingPrepared(clip)) {
    const value = rendition.state === 'preparing' ? { value: rendition.progress * 100 } : {}
    return (
      // Aligned left, so that the text does not shift when the number gets another digit.
      <div className="grid w-full max-w-64 gap-2 text-left text-14">
        <p className="font-medium tabular-nums">{preparationLabel(rendition)}</p>
        <ProgressBar label={`Preparing ${clip.name}`} {...value} />
        <p>It will start playing here in a moment.</p>
      </div>
    )
  }
  return (
    <p className="max-w-measure text-14">
      {rendition?.reason?.message ?? `This device cannot play ${clip.name}.`}{' '}
      {clip.url && (
        <>
          <a href={clip.url} download={clip.name} target="_blank" rel="noopener" className={LINK_CLASS}>
            Download it
          </a>{' '}
          to watch it in another app.
        </>
      )}
    </p>
  )
}

/**
 * Explains why an instructor or a guest sees no picture: they may not watch the original, and the rendition is not ready yet or cannot be
 * made.
 */
function Unprepared({ clip }: { clip: Video }) {
  const { rendition } = clip
  if (!isRenditionAwaited(clip))
    return (
      <p className="max-w-measure rounded-field bg-chalk px-4 py-3 text-14">
        {clip.name} cannot be shown. We asked the player to replace it, and nothing is charged for it.
      </p>
    )
  const progress = rendition?.state === 'preparing' ? rendition.progress : 0
  return (
    // Aligned left, so that the text does not shift when the number gets another digit.
    <div className="grid w-full max-w-72 gap-2 rounded-field bg-chalk px-4 py-3 text-left text-14">
      <p className="font-medium tabular-nums">Preparing the video…{progress > 0 && ` ${percent(progress)}`}</p>
      <ProgressBar label={`Preparing ${clip.name}`} {...(progress > 0 && { value: progress * 100 })} />
      <p>It will start playing here in a moment.</p>
    </div>
  )
}

/** Fills the picture area until the video can be shown: it is loading, unreachable, unplayable or not prepared yet. */
export function VideoStatusOverlay({ player, clip }: { player: VideoPlayer; clip: Video }) {
  const status = useStore(player.$status)
  if (status === 'ready') return null
  const isPosterVisible = status === 'loading' || status === 'renewing'
  return (
    <div
      role="status"
      className={cx(
        'absolute inset-0 grid place-items-center p-4 text-center text-ink',
        // While the video loads, the poster stays visible.
        isPosterVisible ? 'pointer-events-none' : 'bg-shade',
      )}
    >
      {status === 'unreachable' ? (
        <p className="max-w-measure text-14">
          {clip.name} did not load. Check your connection.{' '}
          <button type="button" onClick={player.retry} className={cx(LINK_CLASS, 'px-2')}>
            Try again
          </button>
        </p>
      ) : status === 'unplayable' ? (
        <Unplayable clip={clip} />
      ) : status === 'unprepared' ? (
        <Unprepared clip={clip} />
      ) : (
        <Loading player={player} />
      )}
    </div>
  )
}
