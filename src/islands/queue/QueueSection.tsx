import type { QueuedSession } from '../../../modules/folders/contract.ts'

interface SectionProps {
  title: string
  id: string
  folders: QueuedSession[]
  children: (folder: QueuedSession, i: number) => React.ReactNode
  /** The total number of sessions, if not all of them are loaded. */
  count?: number
  more?: React.ReactNode
}
/** One part of the queue with its title and count; renders nothing without sessions. */
export function QueueSection({ title, id, folders, children, count = folders.length, more }: SectionProps) {
  if (!folders.length) return null
  return (
    <section aria-labelledby={id}>
      <h2 id={id} className="mb-3 text-18">
        {title} <span className="font-normal text-ink-2">{count.toLocaleString('en-US')}</span>
      </h2>
      <ul className="divide-y divide-line rounded-card border border-line bg-paper">{folders.map(children)}</ul>
      {more && <div className="mt-4">{more}</div>}
    </section>
  )
}
