import { useState } from 'react'
import { setUser, type User } from '../../client/login-session.ts'
import { useQuery } from '../../client/query.ts'
import { errorMessage } from '../../client/use-command.ts'
import { InstructorInviteLinkCard } from '../../instructors/InstructorInviteLinkCard.tsx'
import { ProfileForm } from '../../profile/ProfileForm.tsx'
import { ProfilePhotoEditor } from '../../profile/ProfilePhotoEditor.tsx'
import { ProtectedPage } from '../../shell/ProtectedPage.tsx'
import { ButtonLink } from '../../ui/button.tsx'
import { ErrorState } from '../../ui/empty-and-error-states.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { LoadingRegion, Skeleton } from '../../ui/skeleton.tsx'

function Screen({ user }: { user: User }) {
  const { data, error, retry } = useQuery('GET /api/profile')
  // The form keeps the first response: a refetch must not replace what the instructor has typed.
  const [first, setFirst] = useState<typeof data>()
  if (data && !first) setFirst(data)
  return (
    <div className="page">
      <PageHeader
        title="Your profile"
        about="Players see this page when they choose an instructor. You can share it anywhere."
        back={{ href: '/instructor/dashboard', label: 'Dashboard' }}
        action={
          user.profileSlug && (
            <ButtonLink href={`/i/${user.profileSlug}`} variant="secondary">
              See your page
            </ButtonLink>
          )
        }
      />
      {error && !first ? (
        <ErrorState title="Your profile did not load" error={errorMessage(error)} retry={retry} />
      ) : !first || !data ? (
        <div className="flex flex-col gap-8">
          <ProfilePhotoEditor user={user} />
          <LoadingRegion className="grid grid-cols-1 gap-8 lg:grid-cols-[minmax(0,1fr)_22rem]">
            <span className="flex flex-col gap-5">
              <Skeleton className="h-18" />
              <Skeleton className="h-31" />
              <Skeleton className="h-23" />
              <Skeleton className="h-40" />
            </span>
            <Skeleton className="h-96 rounded-card! max-lg:hidden" />
          </LoadingRegion>
        </div>
      ) : (
        <div className="flex flex-col gap-8">
          <ProfilePhotoEditor user={user} />
          <ProfileForm
            profile={{ ...first, profilePicture: user.profilePicture }}
            onSaved={saved => setUser({ ...user, profileSlug: saved.user.profileSlug })}
          />
          <InstructorInviteLinkCard profile={data} />
        </div>
      )}
    </div>
  )
}

export default function InstructorProfileEditor() {
  return <ProtectedPage role="instructor">{user => <Screen user={user} />}</ProtectedPage>
}
