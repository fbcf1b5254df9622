import { MailQuestion } from 'lucide-react'
import { NoticeBox } from '../ui/notice-box.tsx'

/**
 * Says that the letter may be for another guardian who shares this device. `email`: the address of the guardian who is signed in. `onOpen`:
 * shows the page on which the letter's link signs its recipient in.
 */
export default function LetterForAnotherGuardianNotice({ email, onOpen }: { email: string; onOpen: () => void }) {
  return (
    <NoticeBox icon={MailQuestion} title="We can't find what this email is about">
      You are logged in as {email}. If the email is for another parent or guardian,{' '}
      <button type="button" className="link" onClick={onOpen}>
        open it with their link
      </button>
      .
    </NoticeBox>
  )
}
