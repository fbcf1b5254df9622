import { redirectAfterToast } from '../../accounts/redirect-after-auth.ts'
import { setUser, type User } from '../../client/login-session.ts'
import { useQuery } from '../../client/query.ts'
import { errorMessage } from '../../client/use-command.ts'
import { missingProfileFields } from '../../profile/missing-fields.ts'
import { ProfileForm } from '../../profile/ProfileForm.tsx'
import { ProtectedPage } from '../../shell/ProtectedPage.tsx'
import { ButtonLink } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { ErrorState } from '../../ui/empty-and-error-states.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { LoadingMessage } from '../../ui/spinner.tsx'

function Screen({ user }: { user: User }) {
  const { data, error, retry } = useQuery('GET /api/profile')
  const lacks = data && missingProfileFields(data)
  return (
    <div className="page max-w-2xl">
      <PageHeader title="Finish your profile" about="Players use these to find you. It takes a few seconds." />
      {error ? (
        <ErrorState title="Your profile did not load" error={errorMessage(error)} retry={retry} />
      ) : !data ? (
        <LoadingMessage />
      ) : lacks?.length === 0 ? (
        <Card className="flex flex-wrap items-center justify-between gap-4">
          <p>Nothing is missing. Your profile is complete.</p>
          <ButtonLink href="/instructor/dashboard">Go to Your Dashboard</ButtonLink>
        </Card>
      ) : (
        <Card>
          <p className="mb-5 text-ink-2">Still missing: {lacks?.join(', ')}.</p>
          <ProfileForm
            profile={data}
            brief
            onSaved={saved => {
              setUser({ ...user, profileSlug: saved.user.profileSlug })
              redirectAfterToast('/instructor/dashboard')
            }}
          />
        </Card>
      )}
    </div>
  )
}

/** Asks an instructor for what their profile lacks: a sport, skills, or the URL of their public page. */
export default function FinishInstructorProfile() {
  return <ProtectedPage role="instructor">{user => <Screen user={user} />}</ProtectedPage>
}
