import { ButtonLink } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Protected } from '../frame/Protected.tsx'
import { Picture } from './Picture.tsx'
import { Sessions } from './Sessions.tsx'

/** What belongs to every account: the photo, the address, where it is signed in. */
export default function Account() {
  return (
    <Protected>
      {user => (
        <div className="page max-w-3xl">
          <PageHeader title="Your account" about={`${user.firstName} ${user.lastName} · ${user.email}`} />
          <div className="flex flex-col gap-10">
            <Card>
              <Picture user={user} />
            </Card>
            <section aria-labelledby="password">
              <h2 id="password" className="mb-1 text-22">
                Password
              </h2>
              <p className="mb-4 max-w-measure text-ink-2">
                We send a link to {user.email}. Choosing a new password signs you out everywhere.
              </p>
              <ButtonLink variant="secondary" href="/forgot-password">
                Choose a new password
              </ButtonLink>
            </section>
            <Sessions />
          </div>
        </div>
      )}
    </Protected>
  )
}
