import { UserRoundX } from 'lucide-react'
import { dateFormatter } from '../ui/date-formatter.ts'
import { NoticeBox } from '../ui/notice-box.tsx'

const longDate = dateFormatter({ dateStyle: 'long' })

/** Tells the owner of an account that its deletion is scheduled. Dashboards show it, because they are where a login leads. */
export const ScheduledDeletionNotice = ({ due }: { due: string | undefined }) =>
  due ? (
    <NoticeBox icon={UserRoundX} title={`Your account will be deleted on ${longDate(new Date(due))}`} className="mb-8">
      <a href="/account#delete-account" className="link">
        See this on your account page
      </a>
    </NoticeBox>
  ) : null
