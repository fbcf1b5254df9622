import { CircleCheck } from 'lucide-react'
import { useState } from 'react'
import { sendCommand } from '../../client/send-command.ts'
import { useCommand } from '../../client/use-command.ts'
import { useSignalHydration } from '../../page-load/signal-hydration.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { FormError } from '../../ui/field.tsx'

const TEXTS = {
  confirm: {
    command: 'POST /api/email-changes/{token}',
    before: 'From now on you log in with this address, and our emails come here.',
    button: 'Use this email',
    done: 'Your account now uses this email.',
    next: { href: '/account', label: 'Go to your account' },
  },
  undo: {
    command: 'POST /api/email-changes/{token}/undo',
    before: 'Your account will switch back to this address, and everyone will be logged out. Then you can choose a new password.',
    button: 'Switch back to this address',
    done: 'Your account uses this email again, and everyone was logged out. Choose a new password now.',
    next: { href: '/forgot-password', label: 'Choose a new password' },
  },
} as const

/** Confirms or undoes an email change on a button press, because mail scanners open links by themselves and must not change anything. */
export default function ConfirmOrUndoEmailChange({ action }: { action: keyof typeof TEXTS }) {
  const root = useSignalHydration<HTMLDivElement>()
  const [isDone, setIsDone] = useState(false)
  const command = useCommand()
  const texts = TEXTS[action]
  const press = async () => {
    const done = await command.run(() => {
      const token = new URLSearchParams(location.search).get('token')
      if (!token) throw new Error('This link is incomplete. Open it again from the email, or ask for a new one.')
      return sendCommand(texts.command, { params: { token } })
    })
    if (done) setIsDone(true)
  }
  return (
    <div ref={root} className="flex flex-col gap-4">
      {isDone ? (
        <>
          <p role="status" className="flex gap-2 font-medium text-field">
            <CircleCheck aria-hidden="true" size={24} strokeWidth={1.75} className="shrink-0" />
            {texts.done}
          </p>
          <ButtonLink href={texts.next.href} size="lg">
            {texts.next.label}
          </ButtonLink>
        </>
      ) : (
        <>
          <p className="text-ink-2">{texts.before}</p>
          <Button size="lg" wide busy={command.busy} onClick={press}>
            {texts.button}
          </Button>
          <FormError>{command.message}</FormError>
        </>
      )}
    </div>
  )
}
