import { cx } from '../ui/cx.ts'
import type { ProgressDot } from './progress-series.ts'
import { timeAxis } from './time-axis.ts'

/** Lines have different dashes and dots, because color must not be the only difference (WCAG 1.4.1). */
const LINE_DASHES = ['', '6 4', '2 3', '10 3 2 3']
const DOT_CLASSES = ['rounded-full', 'rotate-45 rounded-[1px]', 'rounded-[1px]', 'rounded-full border-2 border-gold bg-paper!']

/** The symbol of a line in the legend: its dot. */
export const LegendMark = ({ line }: { line: number }) => (
  <span aria-hidden="true" className={cx('inline-block size-2.5 bg-gold', DOT_CLASSES[line % DOT_CLASSES.length])} />
)

/**
 * A line chart of values over time, with linear axes. Each dot is a link or button that opens its review. Positions are percentages,
 * so the chart fits any width without measuring it in a script.
 */
export function ProgressChart({
  lines,
  low,
  high,
  ticks,
  label,
  href,
  onOpen,
  joined = true,
  small = false,
}: {
  lines: readonly ProgressDot[][]
  low: number
  high: number
  /** The labeled values of the vertical axis. */
  ticks: readonly number[]
  /** Accessible name of a dot. */
  label: (dot: ProgressDot) => string
  /** Returns the URL of a dot's review; without it, `onOpen` shows the review on this screen. */
  href?: ((dot: ProgressDot) => string) | undefined
  onOpen?: ((dot: ProgressDot) => void) | undefined
  /** Whether lines connect the dots. */
  joined?: boolean
  small?: boolean
}) {
  const axis = timeAxis(
    lines.flatMap(l => l.map(d => d.at)),
    small ? 3 : 5,
  )
  const up = (value: number) => (value - low) / (high - low)
  const percent = (part: number) => `${(100 * part).toFixed(2)}%`
  const at = (d: ProgressDot) => ({ left: percent(axis.place(d.at)), bottom: percent(up(d.value)) })
  return (
    <div className="grid grid-cols-[auto_1fr] gap-x-2 text-13 text-ink-2">
      <div aria-hidden="true" className={cx('relative min-w-6', small ? 'h-20' : 'h-48')}>
        {/* Makes the axis as wide as its widest number. */}
        <span className="invisible">{Math.max(...ticks.map(t => String(t).length)) > 2 ? '0000' : '00'}</span>
        {ticks.map(tick => (
          <span key={tick} className="absolute right-0 translate-y-1/2 leading-none" style={{ bottom: percent(up(tick)) }}>
            {tick}
          </span>
        ))}
      </div>
      <div className={cx('relative', small ? 'h-20' : 'h-48')}>
        {ticks.map(tick => (
          <span key={tick} aria-hidden="true" className="absolute inset-x-0 h-px bg-line" style={{ bottom: percent(up(tick)) }} />
        ))}
        {axis.ticks.map(tick => (
          <span
            key={tick.at}
            aria-hidden="true"
            className="absolute -bottom-1 h-1 w-px bg-edge"
            style={{ left: percent(axis.place(tick.at)) }}
          />
        ))}
        {joined && (
          <svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true" className="absolute inset-0 size-full overflow-visible">
            {lines.map((dots, i) => (
              <polyline
                key={dots[0]?.session.instructor.id}
                points={dots.map(d => `${100 * axis.place(d.at)},${100 - 100 * up(d.value)}`).join(' ')}
                className="fill-none stroke-gold"
                strokeWidth="2"
                strokeDasharray={LINE_DASHES[i % LINE_DASHES.length]}
                vectorEffect="non-scaling-stroke"
              />
            ))}
          </svg>
        )}
        <ol className="contents">
          {lines.flatMap((dots, i) =>
            dots.map(d => {
              const mark = (
                <span
                  aria-hidden="true"
                  className={cx('block bg-gold outline-2 outline-paper', small ? 'size-2' : 'size-3', DOT_CLASSES[i % DOT_CLASSES.length])}
                />
              )
              const look = 'absolute z-10 grid translate-y-1/2 -translate-x-1/2 place-items-center rounded-full'
              const props = {
                title: label(d),
                'aria-label': label(d),
                className: cx(look, small ? 'size-8 pointer-coarse:size-11' : 'size-11'),
              }
              return (
                <li key={d.id} className="contents">
                  {href ? (
                    <a {...props} href={href(d)} style={at(d)}>
                      {mark}
                    </a>
                  ) : (
                    <button {...props} type="button" onClick={() => onOpen?.(d)} style={at(d)}>
                      {mark}
                    </button>
                  )}
                </li>
              )
            }),
          )}
        </ol>
      </div>
      <div aria-hidden="true" className="relative col-start-2 mt-2 h-5">
        {axis.ticks.map(tick => (
          <span
            key={tick.at}
            className="absolute -translate-x-1/2 whitespace-nowrap"
            style={{ left: `clamp(1.25rem, ${percent(axis.place(tick.at))}, calc(100% - 1.25rem))` }}
          >
            {tick.label}
          </span>
        ))}
      </div>
    </div>
  )
}
