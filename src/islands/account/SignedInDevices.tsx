import { useState } from 'react'
import { DeviceList } from '../../accounts/DeviceList.tsx'
import { call } from '../../client/api.ts'
import { errorMessage } from '../../client/command.ts'
import { refetchQueries, useQuery } from '../../client/query.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorState } from '../../ui/empty-and-error-states.tsx'
import { LoadingRegion, Skeleton } from '../../ui/skeleton.tsx'
import { toast } from '../../ui/toast.ts'

const SESSIONS_QUERY = 'GET /api/sessions'

/** The devices on which this account is signed in, each with a button to sign it out. */
export function SignedInDevices() {
  const { data, error, retry } = useQuery(SESSIONS_QUERY)
  const [busy, setBusy] = useState<string>()
  const others = data?.sessions.filter(s => !s.current) ?? []

  async function end(which: string, act: () => Promise<unknown>, done: string) {
    setBusy(which)
    try {
      await act()
      refetchQueries(SESSIONS_QUERY)
      toast({ title: done })
    } catch (error) {
      toast({ title: 'Not signed out', description: errorMessage(error), variant: 'destructive' })
    }
    setBusy(undefined)
  }

  return (
    <section aria-labelledby="sessions">
      <h2 id="sessions" className="mb-1 text-22">
        Where you are signed in
      </h2>
      <p className="mb-4 text-ink-2">Sign out any device you do not recognize, then change your password.</p>
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
          onEnd={session => end(session, () => call('DELETE /api/sessions/{session}', { params: { session } }), 'Signed out there')}
        />
      )}
      {others.length > 1 && (
        <Button
          variant="secondary"
          className="mt-4"
          busy={busy === 'all'}
          onClick={() => end('all', () => call('DELETE /api/sessions'), 'Signed out everywhere else')}
        >
          Sign out everywhere else
        </Button>
      )}
    </section>
  )
}
