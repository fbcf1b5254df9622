import * as Radix from '@radix-ui/react-tabs'
import type { ReactNode } from 'react'
import { cx } from './cx.ts'

/** Views of one thing, side by side. `look="pill"` for a switch between two ways, `line` (the default) for sections. */
export function Tabs({
  label,
  tabs,
  value,
  onValueChange,
  defaultValue,
  look = 'line',
}: {
  /** What the tabs choose between, for those who hear it. */
  label: string
  tabs: { value: string; label: ReactNode; content: ReactNode }[]
  value?: string
  onValueChange?: (value: string) => void
  defaultValue?: string
  look?: 'line' | 'pill'
}) {
  return (
    <Radix.Root value={value} onValueChange={onValueChange} defaultValue={defaultValue ?? tabs[0]?.value}>
      <Radix.List
        aria-label={label}
        className={cx(
          look === 'line'
            ? 'flex gap-1 overflow-x-auto border-b border-line'
            : 'grid auto-cols-fr grid-flow-col gap-1 rounded-field bg-ink-wash p-1',
        )}
      >
        {tabs.map(tab => (
          <Radix.Trigger
            key={tab.value}
            value={tab.value}
            className={cx(
              'min-h-11 px-4 font-medium whitespace-nowrap text-ink-2 transition-[color,background-color] hover:text-ink data-[state=active]:text-ink',
              look === 'line'
                ? '-mb-px border-b-3 border-transparent data-[state=active]:border-field'
                : 'rounded-[7px] border border-transparent data-[state=active]:border-line data-[state=active]:bg-paper',
            )}
          >
            {tab.label}
          </Radix.Trigger>
        ))}
      </Radix.List>
      {tabs.map(tab => (
        <Radix.Content key={tab.value} value={tab.value} className="pt-6 outline-offset-4">
          {tab.content}
        </Radix.Content>
      ))}
    </Radix.Root>
  )
}
