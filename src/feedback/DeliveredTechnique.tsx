import { useStore } from '@nanostores/react'
import { useEffect, useRef, useState } from 'react'
import type { Session } from '../../modules/folders/contract.ts'
import type { Checkpoint } from '../../modules/reviews/contract.ts'
import { useQuery } from '../client/query.ts'
import { folderRequest } from '../folders/urls.ts'
import type { Player } from '../player/player.ts'
import { CaptureRate } from '../technique/CaptureRate.tsx'
import { describeCaptureRate } from '../technique/capture-rate.ts'
import { groupPositions } from '../technique/positions.ts'
import { SwingPositions } from '../technique/SwingPositions.tsx'
import { Button } from '../ui/button.tsx'
import { capitalize } from '../ui/capitalize.ts'

/** The positions of a delivered review, to look at one by one. The last session's are fetched when they are asked for. */
export function Given({
  folder,
  session,
  checkpoints,
  player,
  onPick,
}: {
  /** Null for a sample, which has no last time. */
  folder: string | null
  session: Pick<Session, 'id' | 'clips'>
  checkpoints: Checkpoint[]
  player: Player
  onPick: (point: Checkpoint) => void
}) {
  const place = useRef<HTMLElement>(null)
  const [near, setNear] = useState(false)
  const [beside, setBeside] = useState(false)
  // What is on the stage comes first.
  const ready = useStore(player.$status) === 'ready' && near
  const { data } = useQuery('GET /api/folders/{folder}/technique', folder !== null && folderRequest(folder, session.id))
  useEffect(() => {
    const seen = new IntersectionObserver(([entry]) => entry?.isIntersecting && setNear(true), { rootMargin: '50%' })
    seen.observe(place.current!)
    return () => seen.disconnect()
  }, [])
  const all = groupPositions(checkpoints, session.clips)
  const before = data?.before.filter(b => all.some(g => g.skill === b.skill)) ?? []
  return (
    <section ref={place} aria-labelledby="technique" className="border-t border-line p-4 lg:col-span-2">
      <div className="flex min-h-11 flex-wrap items-center justify-between gap-x-4">
        <h2 id="technique" className="text-18">
          Technique
        </h2>
        {before.length > 0 && (
          <Button variant="secondary" size="sm" aria-pressed={beside} onClick={() => setBeside(!beside)}>
            Beside last time
          </Button>
        )}
      </div>
      <div className="mt-2 flex flex-col gap-6">
        {all.map(({ video, skill, points }) => {
          const clip = session.clips.find(c => c.id === video)!
          return (
            <div key={`${video} ${skill}`} className="flex flex-col gap-2">
              <p className="text-14 font-medium">
                {capitalize(skill)}
                {session.clips.length > 1 && `, video ${session.clips.indexOf(clip) + 1}`}
              </p>
              <SwingPositions
                {...{ skill, clip, points, canLoadStills: ready, onPick }}
                lastTime={beside ? before.find(b => b.skill === skill) : undefined}
              />
              {folder === null ? (
                <p className="text-13 text-ink-2">{describeCaptureRate(clip)}</p>
              ) : (
                <CaptureRate folder={folder} clip={clip} />
              )}
            </div>
          )
        })}
      </div>
    </section>
  )
}
