import { useStore } from '@nanostores/react'
import type { Video } from '../../modules/folders/contract.ts'
import { cx } from '../ui/cx.ts'
import { Progress } from '../ui/progress.tsx'
import { Spinner } from '../ui/spinner.tsx'
import { progressOf, underWay } from './Preparing.tsx'
import type { Player } from './player.ts'

const percent = (part: number) => `${Math.floor(part * 100)} %`
const link = 'inline-flex min-h-11 items-center font-medium underline'

function Loading({ player }: { player: Player }) {
  const loaded = useStore(player.$loaded)
  return (
    <p className="grid justify-items-center gap-1 rounded-field bg-shade px-4 py-3 text-14 tabular-nums">
      <Spinner className="size-8" />
      <span className="sr-only">Loading the video</span>
      {/* Its room is there before it is: nothing moves. */}
      <span aria-hidden="true" className="min-h-5 min-w-11 text-left">
        {loaded > 0 && percent(loaded)}
      </span>
    </p>
  )
}

/** Why there is no picture on this device, and what becomes of it. */
function Unplayable({ clip }: { clip: Video }) {
  const { rendition } = clip
  if (rendition && underWay(clip)) {
    const value = rendition.state === 'preparing' ? { value: rendition.progress * 100 } : {}
    return (
      // From the left: a number that grows moves no word.
      <div className="grid w-full max-w-64 gap-2 text-left text-14">
        <p className="font-medium tabular-nums">{progressOf(rendition)}</p>
        <Progress label={`Preparing ${clip.name}`} {...value} />
        <p>It plays here in a moment, by itself.</p>
      </div>
    )
  }
  return (
    <p className="max-w-measure text-14">
      {rendition?.reason?.message ?? `This device cannot play ${clip.name}.`}{' '}
      <a href={clip.url} download={clip.name} target="_blank" rel="noopener" className={link}>
        Download it
      </a>{' '}
      to watch it in another app.
    </p>
  )
}

/** What lies over the picture when there is none. */
export function Veil({ player, clip }: { player: Player; clip: Video }) {
  const ability = useStore(player.$ability)
  if (ability === 'ready') return null
  const still = ability === 'loading' || ability === 'lost'
  return (
    <div
      role="status"
      className={cx(
        'absolute inset-0 grid place-items-center p-4 text-center text-ink',
        // While it loads one looks at the still.
        still ? 'pointer-events-none' : 'bg-shade',
      )}
    >
      {ability === 'away' ? (
        <p className="max-w-measure text-14">
          {clip.name} did not load. Check your connection.{' '}
          <button type="button" onClick={player.again} className={cx(link, 'px-2')}>
            Try again
          </button>
        </p>
      ) : ability === 'unplayable' ? (
        <Unplayable clip={clip} />
      ) : (
        <Loading player={player} />
      )}
    </div>
  )
}
