import { ArrowLeft } from 'lucide-react'
import type { ReactNode } from 'react'

/** The header of a screen: the title, with an optional back link, description and primary action. */
export const PageHeader = ({
  title,
  about,
  back,
  action,
  tools,
}: {
  title: ReactNode
  about?: ReactNode
  back?: { href: string; label: string }
  action?: ReactNode
  /** Small buttons for the titled item, next to its description. */
  tools?: ReactNode
}) => (
  <header className="mb-6 flex flex-col gap-3 pt-6 sm:pt-8">
    {back && (
      <a href={back.href} className="inline-flex min-h-11 w-fit items-center gap-1.5 text-14 font-medium text-ink-2 hover:text-ink">
        <ArrowLeft aria-hidden="true" size={18} strokeWidth={1.75} />
        {back.label}
      </a>
    )}
    <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-4">
      <div className="min-w-0">
        <h1 className="text-28 wrap-anywhere sm:text-36">{title}</h1>
        {(about || tools) && (
          <div className="mt-2 flex max-w-measure flex-wrap items-center gap-x-3 gap-y-1 text-pretty text-ink-2">
            {about && <div className="min-w-0">{about}</div>}
            {tools && <div className="-my-2 -ml-1 flex">{tools}</div>}
          </div>
        )}
      </div>
      {action && <div className="flex flex-wrap gap-2">{action}</div>}
    </div>
  </header>
)
