import { useState } from 'react'
import { DeviceList } from '../../accounts/DeviceList.tsx'
import { call } from '../../client/api.ts'
import { errorMessage } from '../../client/command.ts'
import { refetchQueries, useQuery } from '../../client/query.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorState } from '../../ui/empty-and-error-states.tsx'
import { LoadingRegion, Skeleton } from '../../ui/skeleton.tsx'
import { toast } from '../../ui/toast.ts'

const SESSIONS_QUERY = 'GET /api/family/sessions'

/** Where the guardian is signed in: one device, or all of them, signed out with a press. */
export function FamilyDevices() {
  const { data, error, retry } = useQuery(SESSIONS_QUERY)
  const [busy, setBusy] = useState<string>()

  async function end(which: string, act: () => Promise<unknown>, done: () => unknown) {
    setBusy(which)
    try {
      await act()
      await done()
    } catch (error) {
      toast({ title: 'Not signed out', description: errorMessage(error), variant: 'destructive' })
    }
    setBusy(undefined)
  }
  const leave = () => location.assign('/family')

  return (
    <section aria-labelledby="devices">
      <h2 id="devices" className="mb-1 text-22">
        Where you are signed in
      </h2>
      <p className="mb-4 text-ink-2">Sign out any device you do not recognize. A new link from us signs you in again.</p>
      {error ? (
        <ErrorState title="The list did not load" error={errorMessage(error)} retry={retry} />
      ) : !data ? (
        <LoadingRegion>
          <Skeleton className="h-36 w-full rounded-card!" />
        </LoadingRegion>
      ) : (
        <DeviceList
          sessions={data.sessions}
          busy={busy}
          onEnd={session =>
            end(
              session,
              () => call('DELETE /api/family/sessions/{session}', { params: { session } }),
              () => refetchQueries(SESSIONS_QUERY),
            )
          }
        />
      )}
      <div className="mt-4 flex flex-wrap gap-2">
        <Button variant="secondary" busy={busy === 'here'} onClick={() => end('here', () => call('POST /api/family/logout'), leave)}>
          Sign out here
        </Button>
        <Button variant="secondary" busy={busy === 'all'} onClick={() => end('all', () => call('DELETE /api/family/sessions'), leave)}>
          Sign out everywhere
        </Button>
      </div>
    </section>
  )
}
