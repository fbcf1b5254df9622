import { MailQuestion } from 'lucide-react'
import { NoticeBox } from '../ui/notice-box.tsx'
import type { FamilyData, ShowLetterSignInPage } from './RequireGuardianLogin.tsx'

/**
 * Shown where a letter's link leads to nothing that the signed-in guardian may see: the letter may be for another guardian who shares this
 * device. Renders nothing if the URL had no token.
 */
export function OtherAddresseeNotice({
  family,
  showLetterSignInPage,
  className,
}: {
  family: FamilyData
  showLetterSignInPage: ShowLetterSignInPage
  className?: string
}) {
  return (
    showLetterSignInPage && (
      <NoticeBox icon={MailQuestion} title="We can't find what this email is about" {...(className && { className })}>
        You are logged in as {family.guardian.email}. If the email is for another parent or guardian,{' '}
        <button type="button" className="link" onClick={showLetterSignInPage}>
          open it with their link
        </button>
        .
      </NoticeBox>
    )
  )
}
