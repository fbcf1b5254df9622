import { useState } from 'react'
import type { Reply } from '../client/api.ts'
import { errorMessage } from '../client/use-command.ts'
import { Button } from '../ui/button.tsx'
import { ErrorState } from '../ui/empty-and-error-states.tsx'
import { LoadingRegion, Skeleton } from '../ui/skeleton.tsx'
import { toast } from '../ui/toast.ts'
import { DeviceList } from './DeviceList.tsx'

interface Props {
  /** Advice about an unfamiliar device. */
  about: string
  query: { data?: Reply<'GET /api/sessions'>; error?: unknown; retry: () => void }
  /** Ends one session and refreshes the list. */
  onEnd: (session: string) => Promise<unknown>
  /** Buttons below the list, which end several sessions or the current one. */
  actions: { label: string; end: () => Promise<unknown> }[]
}

/** The devices on which an account or a guardian is signed in, with buttons to sign them out. */
export function DevicesSection({ about, query: { data, error, retry }, onEnd, actions }: Props) {
  const [busy, setBusy] = useState<string>()
  async function run(what: string, end: () => Promise<unknown>) {
    setBusy(what)
    try {
      await end()
    } catch (error) {
      toast({ title: 'That device was not logged out', description: errorMessage(error), variant: 'destructive' })
    }
    setBusy(undefined)
  }
  return (
    <section aria-labelledby="devices">
      <h2 id="devices" className="mb-1 text-22">
        Where you are logged in
      </h2>
      <p className="mb-4 text-ink-2">{about}</p>
      {error ? (
        <ErrorState title="The list did not load" error={errorMessage(error)} retry={retry} />
      ) : !data ? (
        <LoadingRegion>
          <Skeleton className="h-36 w-full rounded-card!" />
        </LoadingRegion>
      ) : (
        <DeviceList sessions={data.sessions} busy={busy} onEnd={session => run(session, () => onEnd(session))} />
      )}
      {actions.length > 0 && (
        <div className="mt-4 flex flex-wrap gap-2">
          {actions.map(({ label, end }) => (
            <Button key={label} variant="secondary" busy={busy === label} onClick={() => run(label, end)}>
              {label}
            </Button>
          ))}
        </div>
      )}
    </section>
  )
}
