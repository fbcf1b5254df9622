import { ArrowLeft, ArrowRight } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { useAlive } from '../../client/alive.ts'
import { IconButton } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'

/** The slides of a carousel; it scrolls by itself, so swiping works before it wakes. */
export default function Carousel({ label, names, slides }: { label: string; names: string[]; slides: ReactNode }) {
  const [step, setStep] = useState(0)
  const track = useRef<HTMLDivElement>(null)
  const root = useAlive<HTMLDivElement>()
  const last = names.length - 1

  const seen = () => {
    const at = track.current
    if (at) setStep(Math.round(at.scrollLeft / at.clientWidth))
  }
  useEffect(seen, [])
  const go = (to: number) => {
    const next = Math.max(0, Math.min(last, to))
    const at = track.current
    const still = matchMedia('(prefers-reduced-motion: reduce)').matches
    at?.scrollTo({ left: next * at.clientWidth, behavior: still ? 'instant' : 'smooth' })
    setStep(next)
  }
  const onKeyDown = (e: KeyboardEvent) => {
    const to = { ArrowRight: step + 1, ArrowLeft: step - 1, Home: 0, End: last }[e.key]
    if (to === undefined) return
    e.preventDefault()
    go(to)
  }

  return (
    <section ref={root} aria-roledescription="carousel" aria-label={label}>
      {/* biome-ignore lint/a11y/useSemanticElements: a row of slides is no fieldset. */}
      <div
        ref={track}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
        tabIndex={0}
        role="group"
        aria-label="Steps"
        onKeyDown={onKeyDown}
        onScrollEnd={seen}
        className="relative flex snap-x snap-mandatory overflow-x-auto overscroll-x-contain rounded-card border border-line bg-paper [scrollbar-width:none]"
      >
        {slides}
      </div>
      <div className="mt-4 flex items-center justify-between">
        <IconButton label="Previous" variant="secondary" disabled={step === 0} onClick={() => go(step - 1)}>
          <ArrowLeft aria-hidden="true" size={20} strokeWidth={1.75} />
        </IconButton>
        <div className="flex">
          {names.map((name, i) => (
            <button
              key={name}
              type="button"
              aria-label={`Step ${i + 1}: ${name}`}
              aria-current={i === step ? 'step' : undefined}
              onClick={() => go(i)}
              className="grid size-11 place-items-center"
            >
              <span
                className={cx(
                  'size-3 rotate-45 rounded-[2px] border-2 transition-colors',
                  i === step ? 'border-clay bg-clay' : 'border-edge',
                )}
              />
            </button>
          ))}
        </div>
        <IconButton label="Next" variant="secondary" disabled={step === last} onClick={() => go(step + 1)}>
          <ArrowRight aria-hidden="true" size={20} strokeWidth={1.75} />
        </IconButton>
      </div>
    </section>
  )
}
