import { UserRoundPen } from 'lucide-react'
import { ScheduledDeletionDashboardNotice } from '../../accounts/ScheduledDeletionDashboardNotice.tsx'
import { useQuery } from '../../client/query.ts'
import { UndoDeliveryNoticeOnOtherPages } from '../../folders/UndoDeliveryNoticeOnOtherPages.tsx'
import { InstructorInviteLinkCard, isInviteLinkDisabled } from '../../instructors/InstructorInviteLinkCard.tsx'
import { ProtectedPage } from '../../shell/ProtectedPage.tsx'
import { ButtonLink } from '../../ui/button.tsx'
import { ClientOnly } from '../../ui/client-only.tsx'
import { cx } from '../../ui/cx.ts'
import { PageHeader } from '../../ui/page-header.tsx'
import { EarningsCard } from './EarningsCard.tsx'
import { IncompleteProfileCard } from './IncompleteProfileCard.tsx'
import { ModelClipsCard } from './ModelClipsCard.tsx'
import { ReviewQueue } from './ReviewQueue.tsx'
import { VettingStatusCard } from './VettingStatusCard.tsx'

function Dashboard() {
  const queue = useQuery('GET /api/queue')
  const profile = useQuery('GET /api/profile')
  // The cards about the profile are above the queue, so they appear together with it; otherwise a late card would push the queue down.
  const ready = Boolean((queue.data || queue.error) && (profile.data || profile.error))
  return (
    <div className="page">
      <PageHeader
        title="Your queue"
        action={
          <ButtonLink
            variant="quiet"
            href="/instructor/profile-editor"
            className="-mr-4"
            icon={<UserRoundPen aria-hidden="true" size={20} strokeWidth={1.75} />}
          >
            Edit profile
          </ButtonLink>
        }
      />
      <ScheduledDeletionDashboardNotice due={profile.data?.deletionDue} />
      <div className="grid grid-cols-1 items-start gap-8 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <div>
          {ready && <VettingStatusCard vetting={profile.data?.vetting} />}
          {ready && <IncompleteProfileCard profile={profile.data} />}
          <ReviewQueue ready={ready} slug={profile.data?.user.profileSlug} isClosed={isInviteLinkDisabled(profile.data)} />
        </div>
        {/* On a phone these cards follow the queue and would jump down when it loads, so they are hidden until then. */}
        <div className={cx('grid grid-cols-1 items-start gap-4 sm:grid-cols-2 lg:grid-cols-1', !ready && 'max-lg:hidden')}>
          <InstructorInviteLinkCard profile={profile.data} />
          <EarningsCard />
          <ModelClipsCard />
        </div>
      </div>
    </div>
  )
}

export default ({ preloaded }: { preloaded?: string | undefined }) => (
  <ProtectedPage role="instructor" preloaded={preloaded}>
    {() => (
      <>
        <Dashboard />
        <ClientOnly fallback={null}>
          <UndoDeliveryNoticeOnOtherPages />
        </ClientOnly>
      </>
    )}
  </ProtectedPage>
)
