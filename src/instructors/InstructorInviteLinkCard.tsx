import { Copy, RefreshCw } from 'lucide-react'
import { Suspense, useState } from 'react'
import type { Reply } from '../client/api.ts'
import { copyWithToast } from '../client/copy-with-toast.ts'
import { useQuery } from '../client/query.ts'
import { errorMessage } from '../client/use-command.ts'
import { site } from '../site.ts'
import { Button, IconButton } from '../ui/button.tsx'
import { CardError } from '../ui/empty-and-error-states.tsx'
import { lazyWithRetry } from '../ui/lazy-with-retry.tsx'
import { ShareSheetButton } from '../ui/share-sheet-button.tsx'
import { Skeleton } from '../ui/skeleton.tsx'

// The dialog library adds 10 KB of script, so it loads when the dialog is first opened.
const RenewInviteCodeDialog = lazyWithRetry(() => import('./RenewInviteCodeDialog.tsx').then(m => ({ default: m.RenewInviteCodeDialog })))
const icon = { size: 20, strokeWidth: 1.75, 'aria-hidden': true } as const

type Profile = Pick<Reply<'GET /api/profile'>, 'vetting' | 'deletionDue'>

/** True if the invite link does not work: an administrator has suspended or declined the instructor, or the account will be deleted. */
export const isInviteLinkDisabled = (profile: Profile | undefined) =>
  profile?.vetting.status === 'suspended' || profile?.vetting.status === 'declined' || profile?.deletionDue !== undefined

export const copyInviteLink = (url: string) => copyWithToast('link', url, 'Send it to your players. It connects them to you.')

/** Shown instead of the invite link while no player can connect to the instructor. */
const ClosedInviteCard = () => (
  <section aria-labelledby="invite" className="rounded-card border border-line bg-paper p-4 sm:p-6">
    <h2 id="invite" className="text-18">
      Invite your players
    </h2>
    <p className="mt-1 text-14 text-ink-2">Your invite link does not work right now, because no player can send you folders.</p>
  </section>
)

/** An instructor's invite code and link, with buttons to copy, share and renew it. `profile`: undefined while it loads. */
export const InstructorInviteLinkCard = ({ profile }: { profile: Profile | undefined }) =>
  isInviteLinkDisabled(profile) ? <ClosedInviteCard /> : <OpenInviteCard />

function OpenInviteCard() {
  const { data, error, retry } = useQuery('GET /api/invite')
  const [isRenewing, setIsRenewing] = useState(false)
  return (
    <section aria-labelledby="invite" className="rounded-card border border-line bg-paper p-4 sm:p-6">
      <h2 id="invite" className="text-18">
        Invite your players
      </h2>
      <p className="mt-1 text-14 text-ink-2">Players who register with your link are connected to you right away.</p>
      {error && !data ? (
        <CardError className="mt-4" error={errorMessage(error)} retry={retry} />
      ) : !data ? (
        <Skeleton className="mt-4 h-35" />
      ) : (
        <>
          <div className="mt-4 flex items-center justify-between gap-2 rounded-field bg-field-wash py-1 pr-1 pl-4">
            <code className="min-w-0 font-sans text-22 font-heavy tracking-wide wrap-anywhere text-field">{data.code}</code>
            <IconButton label="Get a new invite code" onClick={() => setIsRenewing(true)}>
              <RefreshCw {...icon} />
            </IconButton>
          </div>
          <p className="mt-2 truncate text-13 text-ink-2 select-all">{data.url}</p>
          <div className="mt-4 flex flex-wrap gap-2">
            <Button variant="secondary" icon={<Copy {...icon} />} onClick={() => copyInviteLink(data.url)}>
              Copy link
            </Button>
            <ShareSheetButton url={data.url} text={`Send me your swings on ${site.name}.`} label="Share" />
          </div>
          <Suspense fallback={null}>{isRenewing && <RenewInviteCodeDialog onClose={() => setIsRenewing(false)} />}</Suspense>
        </>
      )}
    </section>
  )
}
