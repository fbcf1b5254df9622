import { useStore } from '@nanostores/react'
import { useEffect, useMemo, useRef, useState } from 'react'
import type { Session } from '../../modules/folders/contract.ts'
import type { TechniquePosition } from '../../modules/reviews/contract.ts'
import { isFamilyPage } from '../client/is-family-page.ts'
import { useQuery } from '../client/query.ts'
import { folderQueryInput } from '../folders/folder-page-urls-and-query.ts'
import { createUrlRenewer } from '../folders/video-url-renewer.ts'
import { usePageLocation } from '../page-load/preloaded-page-data-context.ts'
import type { VideoPlayer } from '../player/video-player.ts'
import { CaptureRateEditor } from '../technique/CaptureRateEditor.tsx'
import { describeCaptureRate } from '../technique/describe-capture-rate.ts'
import { groupTechniquePositionsByVideoAndSkill } from '../technique/edit-and-group-technique-positions.ts'
import { SwingPositionStillsRow } from '../technique/SwingPositionStillsRow.tsx'
import { Button } from '../ui/button.tsx'
import { capitalize } from '../ui/capitalize.ts'

/**
 * The technique positions of a delivered review. On demand, it also shows those of the latest earlier session with positions for the same
 * skill.
 */
export function DeliveredTechniquePositions({
  folder,
  session,
  checkpoints,
  player,
  onPick,
}: {
  /** Null for the sample and for a private link, which show no earlier session. */
  folder: string | null
  session: Pick<Session, 'id' | 'clips'>
  checkpoints: TechniquePosition[]
  player: VideoPlayer
  onPick: (point: TechniquePosition) => void
}) {
  const place = useRef<HTMLElement>(null)
  const [isNearViewport, setNearViewport] = useState(false)
  const [showsLastTime, setShowsLastTime] = useState(false)
  // Stills are loaded after the stage's video, and only when they are near the viewport.
  const ready = useStore(player.$status) === 'ready' && isNearViewport
  const isFamily = isFamilyPage(usePageLocation().pathname)
  const renewClip = useMemo(() => createUrlRenewer(folder), [folder])
  /** The folder for requests that need an account; null on guardians' pages, where a 401 response would sign the guardian out. */
  const accountFolder = isFamily ? null : folder
  const { data } = useQuery('GET /api/folders/{folder}/technique', accountFolder !== null && folderQueryInput(accountFolder, session.id))
  useEffect(() => {
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && setNearViewport(true), { rootMargin: '50%' })
    observer.observe(place.current!)
    return () => observer.disconnect()
  }, [])
  const groups = groupTechniquePositionsByVideoAndSkill(checkpoints, session.clips)
  const lastTime = data?.before.filter(b => groups.some(g => g.skill === b.skill)) ?? []
  return (
    <section ref={place} aria-labelledby="technique" className="border-t border-line p-4 lg:col-span-2 short:col-span-2">
      <div className="flex min-h-11 flex-wrap items-center justify-between gap-x-4">
        <h2 id="technique" className="text-18">
          Technique
        </h2>
        {lastTime.length > 0 && (
          <Button variant="secondary" size="sm" aria-pressed={showsLastTime} onClick={() => setShowsLastTime(!showsLastTime)}>
            Compare with last time
          </Button>
        )}
      </div>
      <div className="mt-2 flex flex-col gap-6">
        {groups.map(({ video, skill, points }) => {
          const clip = session.clips.find(c => c.id === video)!
          return (
            <div key={`${video} ${skill}`} className="flex flex-col gap-2">
              <p className="text-14 font-medium">
                {capitalize(skill)}
                {session.clips.length > 1 && `, video ${session.clips.indexOf(clip) + 1}`}
              </p>
              <SwingPositionStillsRow
                {...{ skill, clip, points, canLoadStills: ready, renewClip, onPick }}
                lastTime={showsLastTime ? lastTime.find(b => b.skill === skill) : undefined}
              />
              {accountFolder === null ? (
                <p className="text-13 text-ink-2">{describeCaptureRate(clip)}</p>
              ) : (
                <CaptureRateEditor folder={accountFolder} clip={clip} />
              )}
            </div>
          )
        })}
      </div>
    </section>
  )
}
