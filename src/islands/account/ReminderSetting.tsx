import { errorMessage, useCommand } from '../../client/command.ts'
import { setQueryData, useQuery } from '../../client/query.ts'
import { sendCommand } from '../../client/send-command.ts'
import { CardError } from '../../ui/empty-and-error-states.tsx'
import { FormError } from '../../ui/field.tsx'
import { LoadingRegion, Skeleton } from '../../ui/skeleton.tsx'

/** Turns the emails on and off that the service does not need. */
export function ReminderSetting() {
  const { data, error, retry } = useQuery('GET /api/account/letters')
  const command = useCommand()
  const save = (reminders: boolean) => {
    setQueryData('GET /api/account/letters', undefined, { reminders })
    return command.run(() => sendCommand('PUT /api/account/letters', { body: { reminders } })).finally(retry)
  }
  return (
    <section aria-labelledby="emails">
      <h2 id="emails" className="mb-1 text-22">
        Email reminders
      </h2>
      <p className="mb-2 max-w-measure text-ink-2">
        Emails about your sessions, bills and security always arrive. Reminders are up to you.
      </p>
      {error && !data ? (
        <CardError error={errorMessage(error)} retry={retry} />
      ) : !data ? (
        <LoadingRegion>
          <Skeleton className="h-11 w-64" />
        </LoadingRegion>
      ) : (
        <label className="flex min-h-11 items-center gap-3">
          <input
            type="checkbox"
            className="size-5 shrink-0 accent-field"
            checked={data.reminders}
            onChange={e => save(e.currentTarget.checked)}
          />
          Send me reminders
        </label>
      )}
      <FormError>{command.message}</FormError>
    </section>
  )
}
