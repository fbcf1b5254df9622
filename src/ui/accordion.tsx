import type { ReactNode } from 'react'
import { DisclosureChevron } from './disclosure-chevron.tsx'

/** A list of questions whose answers expand one at a time; works without scripts. `name` must be unique on the page. */
export const Accordion = ({ name, items }: { name: string; items: { id: string; title: ReactNode; body: ReactNode }[] }) => (
  <div className="divide-y divide-line rounded-card border border-line bg-paper">
    {items.map(item => (
      <details key={item.id} id={item.id} name={name} className="group">
        <summary className="flex min-h-14 list-none items-center justify-between gap-4 px-4 py-3 font-medium sm:px-6 [&::-webkit-details-marker]:hidden">
          {item.title}
          <DisclosureChevron size={20} className="text-ink-2" />
        </summary>
        <div className="max-w-measure px-4 pb-5 text-ink-2 sm:px-6">{item.body}</div>
      </details>
    ))}
  </div>
)
