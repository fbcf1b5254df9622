import { UserRoundX } from 'lucide-react'
import { dateFormatter } from '../ui/date-formatter.ts'
import { NoticeBox } from '../ui/notice-box.tsx'

const longDate = dateFormatter({ dateStyle: 'long' })

/** Tells people that their account will be deleted. Dashboards show it, because people land there after a login. */
export const ScheduledDeletionDashboardNotice = ({ due }: { due: string | undefined }) =>
  due ? (
    <NoticeBox icon={UserRoundX} title={`Your account will be deleted on ${longDate(new Date(due))}`} className="mb-8">
      <a href="/account#delete-account" className="link">
        See this on your account page
      </a>
    </NoticeBox>
  ) : null
