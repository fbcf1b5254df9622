import { MailQuestion } from 'lucide-react'
import { NoticeBox } from '../ui/notice-box.tsx'

export interface LetterForAnotherGuardianNoticeProps {
  /** The email address of the guardian who is signed in. */
  email: string
  /** Shows the page on which the letter's link signs its recipient in. */
  showLetterSignInPage: () => void
  className?: string
}

/** Says that the letter may be for another guardian who shares this device, and offers to open it with its link. */
export const LetterForAnotherGuardianNotice = ({ email, showLetterSignInPage, className }: LetterForAnotherGuardianNoticeProps) => (
  <NoticeBox icon={MailQuestion} title="We can't find what this email is about" className={className}>
    You are logged in as {email}. If the email is for another parent or guardian,{' '}
    <button type="button" className="link" onClick={showLetterSignInPage}>
      open it with their link
    </button>
    .
  </NoticeBox>
)
