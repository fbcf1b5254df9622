import type { ReactNode } from 'react'
import { useSignalHydration } from '../page-load/signal-hydration.ts'
import { Button } from '../ui/button.tsx'
import type { useValidatedForm } from './validated-form.ts'

/** A form that requests an account recovery email; `sent` replaces it once the server has accepted the request. */
export function RecoveryForm({
  form: { ref, submit, busy, done },
  about,
  submitLabel,
  sent,
  children,
}: {
  form: Pick<ReturnType<typeof useValidatedForm>, 'ref' | 'submit' | 'busy' | 'done'>
  about: string
  submitLabel: string
  sent: ReactNode
  children: ReactNode
}) {
  const root = useSignalHydration<HTMLDivElement>()
  return (
    <div ref={root}>
      {done ? (
        sent
      ) : (
        <form ref={ref} method="post" noValidate onSubmit={submit} className="flex flex-col gap-4">
          <p className="text-ink-2">{about}</p>
          {children}
          <Button type="submit" size="lg" wide busy={busy}>
            {submitLabel}
          </Button>
          <p className="text-14">
            <a className="link inline-flex min-h-11 items-center" href="/auth">
              Back to login
            </a>
          </p>
        </form>
      )}
    </div>
  )
}
