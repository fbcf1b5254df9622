import type { ReactNode } from 'react'
import { DisclosureChevron } from '../../ui/disclosure-chevron.tsx'

/** The last row of a card on the overview page; it expands to show the items that its summary counts. */
export const CollapsibleCardSection = ({ summary, children }: { summary: string; children: ReactNode }) => (
  <details className="group border-t border-line">
    <summary className="flex min-h-11 list-none items-center justify-between px-4 text-14 text-ink-2 [&::-webkit-details-marker]:hidden">
      {summary}
      <DisclosureChevron />
    </summary>
    {children}
  </details>
)
