import { MailWarning } from 'lucide-react'
import type { ReactNode } from 'react'
import { NoticeBox } from '../ui/notice-box.tsx'

/** Says that our emails do not arrive. Pages show it until one arrives or the address changes. `children` say what to do. */
export const UndeliverableEmailNotice = (p: { title: string; className?: string; children: ReactNode }) => (
  <NoticeBox icon={MailWarning} {...p} />
)

/** A link in lowercase, for the end of a sentence about a problem with an email address. */
export const SupportLink = () => (
  <a href="/support" className="link">
    contact support
  </a>
)
