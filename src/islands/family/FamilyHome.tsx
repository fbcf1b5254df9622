import { SupportLink, UndeliverableEmailNotice } from '../../accounts/UndeliverableEmailNotice.tsx'
import { CONSENT_STATUS_TEXTS, ConsentStatusBadge } from '../../family/consent-status.tsx'
import { type FamilyData, RequireGuardianLogin } from '../../family/RequireGuardianLogin.tsx'
import { Avatar } from '../../ui/avatar.tsx'
import { Card } from '../../ui/card.tsx'
import { EmptyState } from '../../ui/empty-and-error-states.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { DeleteGuardianRecordSection } from './DeleteGuardianRecordSection.tsx'
import { FamilyDevices } from './FamilyDevices.tsx'
import { GuardianReminderSetting } from './GuardianReminderSetting.tsx'
import { GuardianTimeZoneSetting } from './GuardianTimeZoneSetting.tsx'

type Child = FamilyData['children'][number]

const ChildCard = ({ child: { id, firstName, consent } }: { child: Child }) => (
  <Card className="flex flex-wrap items-center gap-x-4 gap-y-2">
    <Avatar name={firstName} />
    <div className="min-w-0 flex-1">
      <h2 className="text-18 wrap-anywhere">
        <a href={`/family/children/${id}`} className="link inline-flex min-h-11 items-center">
          {firstName}
        </a>
      </h2>
      <p className="text-ink-2">{CONSENT_STATUS_TEXTS[consent ?? 'waiting'](firstName)}</p>
    </div>
    <ConsentStatusBadge consent={consent} />
  </Card>
)

/** A guardian's home page: their children, their settings and their signed-in devices. */
export default function FamilyHome() {
  return (
    <RequireGuardianLogin>
      {({ guardian, children }) => (
        <div className="page max-w-3xl">
          <PageHeader title="Your family" about={`${guardian.name} · ${guardian.email}`} />
          {guardian.undeliverable && (
            <UndeliverableEmailNotice title="Our emails are not reaching your address" className="mb-4">
              Requests and bills are still on these pages. To change your address, <SupportLink />.
            </UndeliverableEmailNotice>
          )}
          <p className="mb-6">
            <a href="/family/money" className="link inline-flex min-h-11 items-center">
              Sessions and costs: requests, bills and cards
            </a>
          </p>
          <div className="flex flex-col gap-10">
            {children.length ? (
              <div className="flex flex-col gap-4">
                {children.map(child => (
                  <ChildCard key={child.id} child={child} />
                ))}
              </div>
            ) : (
              <EmptyState title="No players yet" action={<DeleteGuardianRecordSection />}>
                Players under 18 who name you as their parent or guardian appear here. At 18, the account becomes the player's own.
              </EmptyState>
            )}
            <GuardianTimeZoneSetting timeZone={guardian.timeZone} />
            <GuardianReminderSetting />
            <FamilyDevices />
          </div>
        </div>
      )}
    </RequireGuardianLogin>
  )
}
