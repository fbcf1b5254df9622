import { type FormEvent, useEffect, useState } from 'react'
import { callApi } from '../client/api.ts'
import { signInWithRequest, type User } from '../client/login-session.ts'
import { errorMessage } from '../client/use-command.ts'
import { Button, ButtonLink } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { TextField } from '../ui/field.tsx'
import { $toasts, dismissToast } from '../ui/toast-store.ts'

/** Asks for the password again over a page whose session has ended, so that nothing typed is lost. */
export function SessionExpiredDialog({ user, onDone }: { user: User; onDone: () => void }) {
  const [error, setError] = useState<string>()
  const [busy, setBusy] = useState(false)
  // The command that was refused without a session has also shown a toast; dismiss it, because this dialog explains the cause.
  useEffect(
    () =>
      $toasts.subscribe(toasts => {
        for (const t of toasts) if (t.open && t.variant === 'destructive') dismissToast(t.id)
      }),
    [],
  )

  async function submit(e: FormEvent<HTMLFormElement>) {
    e.preventDefault()
    // React bubbles events through portals, so a form of the screen behind would also handle this submit.
    e.stopPropagation()
    const password = String(new FormData(e.currentTarget).get('password'))
    setBusy(true)
    try {
      await signInWithRequest(() => callApi('POST /api/login', { body: { username: user.username, password } }))
      onDone()
    } catch (e) {
      setError(errorMessage(e))
      setBusy(false)
    }
  }

  return (
    <Dialog
      open
      stays
      title="Your session has ended"
      about="Log in again to continue. What you typed is still here."
      footer={
        <>
          <ButtonLink variant="quiet" href="/auth">
            Use another account
          </ButtonLink>
          <Button type="submit" form="expired" busy={busy}>
            Log in
          </Button>
        </>
      }
    >
      <form id="expired" onSubmit={submit} className="flex flex-col gap-4">
        {/* Read-only and outside the tab order, so the dialog focuses the password. */}
        <TextField label="Email" name="username" value={user.username} readOnly tabIndex={-1} autoComplete="username" />
        <TextField label="Password" name="password" type="password" required autoComplete="current-password" error={error} />
      </form>
    </Dialog>
  )
}
