import { MailCheck } from 'lucide-react'
import type { Reply } from '../../client/api.ts'
import { NoticeBox } from '../../ui/notice-box.tsx'

type ApprovalRequest = Reply<'GET /api/family/approvals/{assignment}'>

const texts: Record<Exclude<ApprovalRequest['status'], 'pending'>, string> = {
  approved: 'It was approved. Nothing is charged before the feedback.',
  declined: 'It was declined, so the videos were not sent.',
  withdrawn: 'It was taken back before anybody answered.',
  lapsed: 'It ended before anybody answered.',
}

/** Shown if a letter's link leads to a request for approval that no longer waits for an answer. */
export default function EndedApprovalRequestNotice({ request: { status, folderName } }: { request: ApprovalRequest }) {
  return (
    status !== 'pending' && (
      <NoticeBox icon={MailCheck} title={`The request for “${folderName}” needs no answer anymore`}>
        {texts[status]}
      </NoticeBox>
    )
  )
}
