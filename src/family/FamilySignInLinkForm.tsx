import { MailCheck } from 'lucide-react'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { callApi } from '../client/api.ts'
import { useCommand } from '../client/use-command.ts'
import { Button } from '../ui/button.tsx'
import { EmailField } from '../ui/field.tsx'

/** The path of this page with its `session` parameter, but without the token. */
function pageInAddress() {
  const session = new URLSearchParams(location.search).get('session')
  return location.pathname + (session ? `?session=${session}` : '')
}

/** Has the server email a sign-in link to a guardian. The response is always the same, so that it does not reveal who is a guardian. */
export function FamilySignInLinkForm() {
  const [email, setEmail] = useState('')
  const [sent, setSent] = useState(false)
  const command = useCommand()
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (sent) heading.current?.focus()
  }, [sent])
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const done = await command.run(() => callApi('POST /api/family/sign-in', { body: { email, page: pageInAddress() } }))
    if (done) setSent(true)
  }
  if (sent) {
    return (
      <>
        <MailCheck aria-hidden="true" size={32} strokeWidth={1.75} className="text-field" />
        <h1 ref={heading} tabIndex={-1} className="text-28 outline-none">
          Check your inbox
        </h1>
        <p className="text-ink-2">
          If a player named you as their parent or guardian with that address, a link is on its way. It works for an hour.
        </p>
        <Button variant="secondary" onClick={() => setSent(false)}>
          Use another address
        </Button>
      </>
    )
  }
  return (
    <form onSubmit={submit} noValidate className="flex w-full flex-col gap-4">
      <h1 className="text-28">Your family</h1>
      <p className="text-ink-2">
        For parents and guardians of players under 18. Enter the address where you get our emails, and we will send you a link. You don't
        need a password.
      </p>
      <EmailField
        name="email"
        autoComplete="email"
        value={email}
        error={command.message}
        onChange={event => setEmail(event.currentTarget.value)}
      />
      <Button type="submit" size="lg" wide busy={command.busy}>
        Send me a link
      </Button>
    </form>
  )
}
