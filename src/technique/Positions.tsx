import { Fragment, memo } from 'react'
import type { LastTime, Skill, Video } from '../../modules/folders/contract.ts'
import type { Checkpoint } from '../../modules/reviews/contract.ts'
import { dated } from '../ui/dated.ts'
import { title } from '../ui/title.ts'
import { Between } from './Between.tsx'
import { useRealTime } from './pace.ts'
import { fullest, positionsOf, span } from './positions.ts'
import { Still } from './Still.tsx'

const day = dated({ month: 'short', day: 'numeric' })

/** What stands beside the positions of a swing: those of the session before. */
function besides(before: LastTime | undefined, skill: Skill) {
  const best = before && fullest(before.checkpoints, before.clips, skill)
  return best && { points: best.points, clip: before.clips.find(c => c.id === best.video)!, date: day(new Date(before.given)) }
}

/**
 * The positions of one swing as pictures in a row, with the milliseconds of real time between them; below each that of the last session,
 * if there is one.
 */
export const Positions = memo(function Positions({
  skill,
  clip,
  points,
  before,
  ready,
  onPick,
}: {
  skill: Skill
  clip: Video
  /** In their order. */
  points: readonly Checkpoint[]
  before?: LastTime | undefined
  /** Pictures may be drawn. */
  ready: boolean
  onPick: (point: Checkpoint) => void
}) {
  const beside = besides(before, skill)
  const real = useRealTime(clip)
  const realBefore = useRealTime(beside?.clip)
  const now = new Map(points.map(p => [p.name, p]))
  const then = new Map(beside?.points.map(p => [p.name, p]))
  const names = positionsOf(skill).filter(name => now.has(name) || then.has(name))
  return (
    <div className="flex flex-col gap-3">
      <ol aria-label={`Positions, ${skill}`} className="flex items-start gap-2 overflow-x-auto pb-2">
        {names.map((name, i) => {
          const [point, last] = [now.get(name), then.get(name)]
          const [nextPoint, nextLast] = [now.get(names[i + 1] ?? ''), then.get(names[i + 1] ?? '')]
          return (
            <Fragment key={name}>
              <li className="flex w-28 shrink-0 flex-col gap-1">
                {point ? (
                  <button type="button" onClick={() => onPick(point)} className="rounded-base text-left">
                    <Still clip={clip} frame={point.frame} ready={ready} />
                    <span className="mt-1 block text-14 font-medium">{title(name)}</span>
                    <span className="block text-13 text-ink-2 tabular-nums">
                      Frame {point.frame + 1}
                      {point.by === 'sound' && ', by sound'}
                    </span>
                  </button>
                ) : (
                  <span className="block">
                    <span className="grid h-20 w-28 place-items-center rounded-base bg-ink-wash text-13 text-ink-2">Not this time</span>
                    <span className="mt-1 block text-14 font-medium">{title(name)}</span>
                    <span className="block text-13">&nbsp;</span>
                  </span>
                )}
                {beside &&
                  (last ? (
                    <span>
                      <Still clip={beside.clip} frame={last.frame} ready={ready} />
                      <span className="block text-13 text-ink-2">{beside.date}</span>
                    </span>
                  ) : (
                    <span className="grid h-20 w-28 place-items-center rounded-base bg-ink-wash text-13 text-ink-2">
                      Not on {beside.date}
                    </span>
                  ))}
              </li>
              {i < names.length - 1 && (
                <li className="flex w-14 shrink-0 flex-col items-center">
                  <Gap value={point && nextPoint && span(real, point.frame, nextPoint.frame)} />
                  {beside && (
                    <span className="mt-12">
                      <Gap value={last && nextLast && span(realBefore, last.frame, nextLast.frame)} faint />
                    </span>
                  )}
                </li>
              )}
            </Fragment>
          )
        })}
      </ol>
      {points.length > 2 && <Between points={points} real={real} />}
    </div>
  )
})

/** Milliseconds from one position to the next. */
const Gap = ({ value, faint = false }: { value: string | undefined; faint?: boolean }) => (
  <span className={`grid h-20 content-center text-center ${faint ? 'text-ink-2' : ''}`}>
    {value !== undefined && (
      <>
        <span className="text-22 leading-none font-heavy tabular-nums">{value}</span>
        <span className="text-13 text-ink-2">ms</span>
      </>
    )}
  </span>
)
