import { type KeyboardEvent, type ReactNode, useDeferredValue, useId, useRef, useState } from 'react'
import { cx } from './cx.ts'

const moves: Record<string, (at: number, count: number) => number> = {
  ArrowRight: (at, count) => (at + 1) % count,
  ArrowLeft: (at, count) => (at + count - 1) % count,
  Home: () => 0,
  End: (_, count) => count - 1,
}

/**
 * Tabs with arrow, Home and End keys. Use `look="pill"` to switch between two modes, `line` (the default) for sections. This replaces
 * Radix's tabs, which write style attributes into server-rendered HTML.
 */
export function Tabs({
  label,
  tabs,
  value: given,
  onValueChange,
  defaultValue,
  look = 'line',
}: {
  /** What the tabs switch between, for screen readers. */
  label: string
  tabs: { value: string; label: ReactNode; content: ReactNode }[]
  value?: string
  onValueChange?: (value: string) => void
  defaultValue?: string
  look?: 'line' | 'pill'
}) {
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const [own, setOwn] = useState(defaultValue ?? tabs[0]?.value)
  const wanted = given ?? own
  const value = tabs.some(t => t.value === wanted) ? wanted : tabs[0]?.value
  // Deferred, so that the tab is highlighted immediately even if its panel is slow to render.
  const shown = useDeferredValue(value)
  const choose = (next: string) => {
    setOwn(next)
    onValueChange?.(next)
  }
  const onKeyDown = (e: KeyboardEvent) => {
    const move = moves[e.key]
    if (!move) return
    e.preventDefault()
    const next = move(
      tabs.findIndex(t => t.value === value),
      tabs.length,
    )
    choose(tabs[next]!.value)
    list.current?.querySelectorAll<HTMLElement>('[role=tab]')[next]?.focus()
  }
  return (
    <div>
      <div
        ref={list}
        role="tablist"
        aria-label={label}
        onKeyDown={onKeyDown}
        className={
          look === 'line' ? 'flex flex-wrap border-b border-line sm:gap-x-1' : 'flex flex-wrap gap-1 rounded-field bg-ink-wash p-1'
        }
      >
        {tabs.map(tab => (
          <button
            key={tab.value}
            type="button"
            role="tab"
            id={`${id}-${tab.value}`}
            aria-selected={tab.value === value}
            aria-controls={tab.value === value ? `${id}-${tab.value}-panel` : undefined}
            tabIndex={tab.value === value ? 0 : -1}
            onClick={() => choose(tab.value)}
            className={cx(
              'min-h-11 font-medium sm:whitespace-nowrap text-ink-2 transition-[color,background-color] hover:text-ink aria-selected:text-ink',
              look === 'line'
                ? '-mb-px border-b-3 border-transparent px-2.5 aria-selected:border-field sm:px-3'
                : 'flex-1 rounded-[7px] border border-transparent px-4 aria-selected:border-line aria-selected:bg-paper',
            )}
          >
            {tab.label}
          </button>
        ))}
      </div>
      {tabs.map(
        tab =>
          tab.value === shown && (
            <div key={tab.value} role="tabpanel" id={`${id}-${tab.value}-panel`} aria-labelledby={`${id}-${tab.value}`} className="pt-6">
              {tab.content}
            </div>
          ),
      )}
    </div>
  )
}
