import type { User } from '../../client/login-session.ts'
import { useQuery } from '../../client/query.ts'
import { errorMessage } from '../../client/use-command.ts'
import { ErrorState } from '../../ui/empty-and-error-states.tsx'
import { AccountSettingsFormsSkeleton } from './AccountSettingsFormsSkeleton.tsx'
import { EmailForm } from './EmailForm.tsx'
import { GuardianContactInfo } from './GuardianContactInfo.tsx'
import { NameAndPhoneForm } from './NameAndPhoneForm.tsx'
import { PasswordForm } from './PasswordForm.tsx'
import { TimeZoneSetting } from './TimeZoneSetting.tsx'

/** The account's editable details: name and phone number, time zone, email, and password. A minor also sees who their guardian is. */
export function AccountSettingsForms({ user }: { user: User }) {
  const { data, error, retry } = useQuery('GET /api/account')
  if (error && !data) return <ErrorState title="Your account did not load" error={errorMessage(error)} retry={retry} />
  if (!data) return <AccountSettingsFormsSkeleton />
  return (
    <>
      <NameAndPhoneForm account={data} role={user.role} />
      {data.guardian && <GuardianContactInfo guardian={data.guardian} consent={user.guardian} />}
      <TimeZoneSetting timeZone={data.timeZone} isMinor={data.guardian !== null} />
      <EmailForm account={data} />
      <PasswordForm email={data.email} changed={data.passwordChanged} />
    </>
  )
}
