import { useState } from 'react'
import { createLatestSaver } from '../client/latest-saver.ts'
import { errorMessage, useCommand } from '../client/use-command.ts'
import { CardError } from '../ui/empty-and-error-states.tsx'
import { FormError } from '../ui/field.tsx'
import { LoadingRegion, Skeleton } from '../ui/skeleton.tsx'

/** Turns optional emails on or off. `save` shows the new choice optimistically. */
export function RemindersSwitch({
  query: { data, error, retry },
  save,
}: {
  query: { data?: { reminders: boolean }; error?: unknown; retry: () => void }
  save: (reminders: boolean) => Promise<unknown>
}) {
  const command = useCommand()
  const [saveLatest] = useState(() => createLatestSaver(save))
  return (
    <section aria-labelledby="emails">
      <h2 id="emails" className="mb-1 text-22">
        Email reminders
      </h2>
      <p className="mb-2 max-w-measure text-ink-2">We always send emails about sessions, bills and security. Reminders are up to you.</p>
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
            onChange={e => {
              const saving = saveLatest(e.currentTarget.checked)
              command.run(() => saving)
              saving.then(retry, retry)
            }}
          />
          Send me reminders
        </label>
      )}
      <FormError>{command.message}</FormError>
    </section>
  )
}
