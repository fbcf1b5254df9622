import { Fragment, memo } from 'react'
import type { Skill } from '../../modules/accounts/contract.ts'
import type { EarlierTechniquePositions, Video } from '../../modules/folders/contract.ts'
import type { TechniquePosition } from '../../modules/reviews/contract.ts'
import { capitalize } from '../ui/capitalize.ts'
import { dateFormatter } from '../ui/date-formatter.ts'
import {
  formatMillisecondsBetweenFrames,
  positionsOnMostMarkedVideo,
  techniquePositionNames,
} from './edit-and-group-technique-positions.ts'
import { FrameStill } from './FrameStill.tsx'
import type { RenewClip } from './frame-stills.ts'
import { TimeBetweenPositions } from './TimeBetweenPositions.tsx'
import { useRealTimeOfFrames } from './use-real-time-of-frames.ts'

const day = dateFormatter({ month: 'short', day: 'numeric' })

/** Picks the positions of the previous session that are shown below those of this swing. */
function fromLastSession(lastTime: EarlierTechniquePositions | undefined, skill: Skill) {
  const best = lastTime && positionsOnMostMarkedVideo(lastTime.checkpoints, lastTime.clips, skill)
  return best && { points: best.points, clip: lastTime.clips.find(c => c.id === best.video)!, date: day(new Date(lastTime.given)) }
}

/**
 * The positions of one swing as a row of stills, with the milliseconds of real time between them. Below each is the same position from
 * the previous session, if there is one.
 */
export const SwingPositionStillsRow = memo(function SwingPositionStillsRow({
  skill,
  clip,
  points,
  lastTime,
  canLoadStills,
  renewClip,
  onPick,
}: {
  skill: Skill
  clip: Video
  /** The swing's positions in the order of the motion. */
  points: readonly TechniquePosition[]
  lastTime?: EarlierTechniquePositions | undefined
  canLoadStills: boolean
  renewClip: RenewClip
  onPick: (point: TechniquePosition) => void
}) {
  const lastSession = fromLastSession(lastTime, skill)
  const real = useRealTimeOfFrames(clip)
  const realBefore = useRealTimeOfFrames(lastSession?.clip)
  const now = new Map(points.map(p => [p.name, p]))
  const then = new Map(lastSession?.points.map(p => [p.name, p]))
  const names = techniquePositionNames(skill).filter(name => now.has(name) || then.has(name))
  /** The time from a position to the next one that its own session has, because the other session may have one in between. */
  const intervalAfter = (i: number, marked: ReadonlyMap<string, TechniquePosition>, realTime: typeof real) => {
    const from = marked.get(names[i]!)
    const next = names.findIndex((name, n) => n > i && marked.has(name))
    const to = marked.get(names[next] ?? '')
    if (!from || !to) return {}
    return { value: formatMillisecondsBetweenFrames(realTime, from.frame, to.frame), skippingTo: next > i + 1 ? to.name : undefined }
  }
  return (
    <div className="flex flex-col gap-3">
      <ol aria-label={`Positions, ${skill}`} className="flex items-start gap-2 overflow-x-auto pb-2">
        {names.map((name, i) => {
          const [point, last] = [now.get(name), then.get(name)]
          return (
            <Fragment key={name}>
              <li className="flex w-28 shrink-0 flex-col gap-1">
                {point ? (
                  <button type="button" onClick={() => onPick(point)} className="rounded-base text-left">
                    <FrameStill clip={clip} frame={point.frame} canLoad={canLoadStills} renewClip={renewClip} />
                    <span className="mt-1 block text-14 font-medium">{capitalize(name)}</span>
                    <span className="block text-13 text-ink-2 tabular-nums">
                      Frame {point.frame + 1}
                      {point.by === 'sound' && ', by sound'}
                    </span>
                  </button>
                ) : (
                  <span className="block">
                    <span className="grid h-20 w-28 place-items-center rounded-base bg-ink-wash text-13 text-ink-2">Not marked</span>
                    <span className="mt-1 block text-14 font-medium">{capitalize(name)}</span>
                    <span className="block text-13">&nbsp;</span>
                  </span>
                )}
                {lastSession &&
                  (last ? (
                    <span>
                      <FrameStill clip={lastSession.clip} frame={last.frame} canLoad={canLoadStills} renewClip={renewClip} />
                      <span className="block text-13 text-ink-2">{lastSession.date}</span>
                    </span>
                  ) : (
                    <span className="grid h-20 w-28 place-items-center rounded-base bg-ink-wash text-13 text-ink-2">
                      Not marked on {lastSession.date}
                    </span>
                  ))}
              </li>
              {i < names.length - 1 && (
                <li className="flex w-14 shrink-0 flex-col items-center">
                  <Interval {...intervalAfter(i, now, real)} />
                  {lastSession && (
                    <span className="mt-12">
                      <Interval {...intervalAfter(i, then, realBefore)} faint />
                    </span>
                  )}
                </li>
              )}
            </Fragment>
          )
        })}
      </ol>
      {points.length > 2 && <TimeBetweenPositions points={points} real={real} />}
    </div>
  )
})

/** The milliseconds from one position to the next. `skippingTo`: the name of the next position if it is not in the next column. */
const Interval = ({
  value,
  skippingTo,
  faint = false,
}: {
  value?: string | undefined
  skippingTo?: string | undefined
  faint?: boolean
}) => (
  <span className={`grid h-20 content-center text-center ${faint ? 'text-ink-2' : ''}`}>
    {value !== undefined && (
      <>
        <span className="text-22 leading-none font-heavy tabular-nums">{value}</span>
        <span className="text-13 text-ink-2">{skippingTo ? `ms to ${skippingTo}` : 'ms'}</span>
      </>
    )}
  </span>
)
