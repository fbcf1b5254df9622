import { useQuery } from '../../client/query.ts'
import type { User } from '../../client/session.ts'
import { errorMessage } from '../../client/use-command.ts'
import { ErrorState } from '../../ui/empty-and-error-states.tsx'
import { AccountDetailsForm } from './AccountDetailsForm.tsx'
import { EmailForm } from './EmailForm.tsx'
import { PasswordForm } from './PasswordForm.tsx'
import { SettingsSkeleton } from './SettingsSkeleton.tsx'
import { TimeZoneSetting } from './TimeZoneSetting.tsx'

/** The account's editable details: name and phone number, email, and password. A minor also sees who their guardian is. */
export function OwnSettings({ user }: { user: User }) {
  const { data, error, retry } = useQuery('GET /api/account')
  if (error && !data) return <ErrorState title="Your account did not load" error={errorMessage(error)} retry={retry} />
  if (!data) return <SettingsSkeleton />
  return (
    <>
      <AccountDetailsForm account={data} role={user.role} />
      {data.guardian && (
        <section aria-labelledby="guardian">
          <h2 id="guardian" className="mb-1 text-22">
            Your parent or guardian
          </h2>
          <p className="max-w-measure wrap-anywhere">
            {data.guardian.name} · {data.guardian.email}
          </p>
          <p className="max-w-measure text-ink-2">They agree for you and pay for your sessions until you are 18.</p>
        </section>
      )}
      <TimeZoneSetting timeZone={data.timeZone} isMinor={data.guardian !== null} />
      <EmailForm account={data} />
      <PasswordForm email={data.email} changed={data.passwordChanged} />
    </>
  )
}
