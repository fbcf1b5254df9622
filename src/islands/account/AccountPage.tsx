import { Suspense } from 'react'
import { ProfilePhotoEditor } from '../../profile/ProfilePhotoEditor.tsx'
import { ProtectedPage } from '../../shell/ProtectedPage.tsx'
import { Avatar } from '../../ui/avatar.tsx'
import { ButtonLink } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { lazyWithRetry } from '../../ui/lazy-with-retry.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { AccountDataExport } from './AccountDataExport.tsx'
import { AccountSettingsFormsSkeleton } from './AccountSettingsFormsSkeleton.tsx'
import { AutomaticDeletionSchedule } from './AutomaticDeletionSchedule.tsx'
import { DeleteAccountSection } from './DeleteAccountSection.tsx'
import { PlayerTraitsForm } from './PlayerTraitsForm.tsx'
import { ReminderEmailsSetting } from './ReminderEmailsSetting.tsx'
import { SignedInDevices } from './SignedInDevices.tsx'

// The forms need react-hook-form and the schemas, which the rest of the page does not, so they load separately.
const AccountSettingsForms = lazyWithRetry(() => import('./AccountSettingsForms.tsx').then(m => ({ default: m.AccountSettingsForms })))

/** The account page of every role: photo, name, email, password, settings of the role, a copy of the data, devices, and deletion. */
export default function AccountPage() {
  return (
    <ProtectedPage>
      {user => (
        <div className="page max-w-3xl">
          <PageHeader title="Your account" about={`${user.firstName} ${user.lastName} · ${user.email}`} />
          <div className="flex flex-col gap-10">
            <Card>
              {user.role === 'instructor' ? (
                <div className="flex flex-wrap items-center gap-4">
                  <Avatar name={`${user.firstName} ${user.lastName}`} picture={user.profilePicture} instructor={user.id} size="xl" />
                  <ButtonLink href="/instructor/profile-editor" variant="secondary">
                    Edit photo and profile
                  </ButtonLink>
                </div>
              ) : (
                <ProfilePhotoEditor user={user} />
              )}
            </Card>
            <Suspense fallback={<AccountSettingsFormsSkeleton />}>
              <AccountSettingsForms user={user} />
            </Suspense>
            {user.role === 'player' && <PlayerTraitsForm />}
            {user.role !== 'admin' && <ReminderEmailsSetting />}
            <AccountDataExport />
            <SignedInDevices />
            <AutomaticDeletionSchedule />
            <DeleteAccountSection />
          </div>
        </div>
      )}
    </ProtectedPage>
  )
}
