import { cx } from './cx.ts'

const names = ['First base', 'Second base', 'Third base', 'Home'] as const
/** Positions of the bases on a 48 × 48 field, from first base to home plate. */
const places = [
  [42, 24],
  [24, 6],
  [6, 24],
  [24, 42],
] as const
const legs = ['M24 42 42 24', 'M42 24 24 6', 'M24 6 6 24', 'M6 24 24 42'] as const

/** A four-step process drawn as bases: first, second, third, home. `step` is 0–3, or 4 when all are done; the label is then `done`. */
export function BasesStepper({
  steps,
  step,
  done = steps[3],
  named = true,
  className,
}: {
  steps: readonly [string, string, string, string]
  step: number
  done?: string
  /** False hides the step's name, for places that already show it nearby. */
  named?: boolean
  className?: string
}) {
  const now = Math.min(step, 3)
  return (
    <div className={cx('flex items-center gap-4', className)}>
      <svg viewBox="-2 -2 52 52" fill="none" aria-hidden="true" className="size-14 shrink-0">
        <path d="M24 42 42 24 24 6 6 24Z" stroke="var(--line)" strokeWidth="2" />
        {legs.map((d, i) => i < step && <path key={d} d={d} stroke="var(--field)" strokeWidth="3" strokeLinecap="round" />)}
        {places.map(([x, y], i) => (
          <rect
            key={names[i]}
            x={x - 5}
            y={y - 5}
            width="10"
            height="10"
            rx="1.5"
            transform={`rotate(45 ${x} ${y})`}
            fill={i < step ? 'var(--field)' : i === step ? 'var(--clay)' : 'var(--paper)'}
            stroke={i < step ? 'var(--field)' : i === step ? 'var(--clay)' : 'var(--edge)'}
            strokeWidth="2"
          />
        ))}
      </svg>
      <div className="min-w-0">
        <p className="text-13 text-ink-2">{step > 3 ? 'Safe at home' : `Step ${now + 1} of 4`}</p>
        {named && <p className="font-medium">{step > 3 ? done : steps[now]}</p>}
      </div>
      <ol className="sr-only">
        {steps.map((label, i) => (
          <li key={label} aria-current={i === step ? 'step' : undefined}>
            {label}
            {i < step && ' (done)'}
          </li>
        ))}
      </ol>
    </div>
  )
}
