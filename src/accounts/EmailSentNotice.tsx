import { MailCheck } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { ButtonLink } from '../ui/button.tsx'

/** Replaces a form that requested an email, and takes the focus, so that screen readers read it. */
export function EmailSentNotice({ title = 'Check your inbox', children }: { title?: string; children: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    heading.current?.focus()
  }, [])
  return (
    <div className="flex flex-col items-start gap-3">
      <MailCheck aria-hidden="true" size={32} strokeWidth={1.75} className="text-field" />
      <h2 ref={heading} tabIndex={-1} className="text-18 outline-none">
        {title}
      </h2>
      <p className="text-ink-2">{children}</p>
      <ButtonLink href="/auth" variant="secondary" className="mt-2">
        Back to login
      </ButtonLink>
    </div>
  )
}
