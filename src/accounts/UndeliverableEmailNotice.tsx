import { MailWarning } from 'lucide-react'
import type { ReactNode } from 'react'
import { NoticeBox } from '../ui/notice-box.tsx'

/** Says that our emails do not arrive. It stays until one arrives or the address changes. `children` say what to do. */
export const UndeliverableEmailNotice = (p: { title: string; className?: string; children: ReactNode }) => (
  <NoticeBox icon={MailWarning} {...p} />
)

/** The end of a sentence that says where to get help with an address. */
export const SupportLink = () => (
  <a href="/support" className="link">
    contact support
  </a>
)
