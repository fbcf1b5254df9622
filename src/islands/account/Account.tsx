import { ProfilePhoto } from '../../profile/ProfilePhoto.tsx'
import { Protected } from '../../shell/Protected.tsx'
import { Card } from '../../ui/card.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Password } from './Password.tsx'
import { Sessions } from './Sessions.tsx'
import { YourData } from './YourData.tsx'

/** The settings that every role has: photo, password, a copy of its data, and the sessions that are signed in. */
export default function Account() {
  return (
    <Protected>
      {user => (
        <div className="page max-w-3xl">
          <PageHeader title="Your account" about={`${user.firstName} ${user.lastName} · ${user.email}`} />
          <div className="flex flex-col gap-10">
            <Card>
              <ProfilePhoto user={user} />
            </Card>
            <Password email={user.email} />
            <YourData />
            <Sessions />
          </div>
        </div>
      )}
    </Protected>
  )
}
