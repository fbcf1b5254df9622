import { ProfilePhoto } from '../../profile/ProfilePhoto.tsx'
import { Protected } from '../../shell/Protected.tsx'
import { Card } from '../../ui/card.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { DeleteAccount } from './DeleteAccount.tsx'
import { ExpiringVideos } from './ExpiringVideos.tsx'
import { PasswordSection } from './PasswordSection.tsx'
import { SignedInDevices } from './SignedInDevices.tsx'
import { YourData } from './YourData.tsx'

/** The settings that every role has: photo, password, a copy of its data, and the sessions that are signed in. */
export default function AccountPage() {
  return (
    <Protected>
      {user => (
        <div className="page max-w-3xl">
          <PageHeader title="Your account" about={`${user.firstName} ${user.lastName} · ${user.email}`} />
          <div className="flex flex-col gap-10">
            <Card>
              <ProfilePhoto user={user} />
            </Card>
            <PasswordSection email={user.email} />
            <YourData />
            <SignedInDevices />
            {user.role === 'player' && <ExpiringVideos />}
            <DeleteAccount />
          </div>
        </div>
      )}
    </Protected>
  )
}
