import { type ReactNode, useEffect, useRef, useState } from 'react'
import { cx } from '../ui/cx.ts'
import { DisclosureChevron } from '../ui/disclosure-chevron.tsx'

/** A section with the archived folders, closed at first. `children`: the list, which is rendered, and so loaded, once it is opened. */
export function ArchivedFoldersSection({ count, className, children }: { count: number; className?: string; children: ReactNode }) {
  const [isOpen, setOpen] = useState(false)
  const section = useRef<HTMLDetailsElement>(null)
  // Somebody may have opened the section before hydration, when React could not notice it.
  useEffect(() => setOpen(section.current!.open), [])
  return (
    <details
      ref={section}
      className={cx('group rounded-card border border-line bg-paper', className)}
      onToggle={() => setOpen(section.current!.open)}
    >
      <summary className="flex min-h-14 list-none items-center justify-between px-4 font-medium sm:px-6 [&::-webkit-details-marker]:hidden">
        Archived ({count})
        <DisclosureChevron size={20} className="text-ink-2" />
      </summary>
      <div className="border-t border-line">{isOpen && children}</div>
    </details>
  )
}
