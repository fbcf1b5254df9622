import { Laptop, Smartphone } from 'lucide-react'
import { useState } from 'react'
import { call } from '../../client/api.ts'
import { errorMessage } from '../../client/command.ts'
import { refetchQueries, useQuery } from '../../client/query.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { ErrorState } from '../../ui/empty-and-error-states.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
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
        <Card flush>
          <ul className="divide-y divide-line">
            {data.sessions.map(s => {
              const Icon = /Phone|iPad|Android|iOS/.test(s.device) ? Smartphone : Laptop
              return (
                <li key={s.id} className="flex flex-wrap items-center gap-x-4 gap-y-2 p-4 sm:px-6">
                  <Icon aria-hidden="true" size={24} strokeWidth={1.5} className="text-ink-2" />
                  <div className="min-w-0 flex-1">
                    <p className="font-medium">{s.device}</p>
                    <p className="text-14 text-ink-2">
                      Last used <RelativeTime at={s.lastUsed} />
                    </p>
                  </div>
                  {s.current ? (
                    <Badge tone="field" dot>
                      This device
                    </Badge>
                  ) : (
                    <Button
                      variant="secondary"
                      size="sm"
                      busy={busy === s.id}
                      aria-label={`Sign out ${s.device}`}
                      onClick={() =>
                        end(s.id, () => call('DELETE /api/sessions/{session}', { params: { session: s.id } }), 'Signed out there')
                      }
                    >
                      Sign out
                    </Button>
                  )}
                </li>
              )
            })}
          </ul>
        </Card>
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
