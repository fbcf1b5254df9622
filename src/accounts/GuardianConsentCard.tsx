import { useStore } from '@nanostores/react'
import { ShieldCheck } from 'lucide-react'
import { useEffect, useState } from 'react'
import { call } from '../client/api.ts'
import { useCommand } from '../client/command.ts'
import { usePersistentForm } from '../client/persistent-form.ts'
import { setQueryData, useQuery } from '../client/query.ts'
import { sendCommand } from '../client/send-command.ts'
import { $user, setUser } from '../client/session.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { EmailField, TextField } from '../ui/field.tsx'
import { toast } from '../ui/toast.ts'

/** How often an open page polls for the guardian's answer. */
const ANSWER_POLL_MS = 5000

/** Polls the account until the guardian's answer changes, so that the page shows it at once. */
function useGuardianAnswer() {
  const user = useStore($user)
  const before = user?.guardian
  useEffect(() => {
    if (!before || before === 'confirmed') return
    const ask = async () => {
      if (document.hidden) return
      const now = await call('GET /api/user').catch(() => null)
      if (!now || now.guardian === before) return
      setUser(now)
      if (now.guardian === 'confirmed') toast({ title: 'Your parent or guardian agreed', description: 'You can assign your folders now.' })
    }
    const timer = setInterval(ask, ANSWER_POLL_MS)
    document.addEventListener('visibilitychange', ask)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', ask)
    }
  }, [before])
  return before
}

const texts = {
  waiting: {
    title: 'Waiting for your parent or guardian',
    about: 'You can upload videos now. Before you can assign a folder, they have to confirm by the link that we emailed them.',
  },
  refused: {
    title: 'Your parent or guardian said no',
    about: 'You can upload videos, but not assign a folder. Talk with them: they can change their answer on their family page.',
  },
  withdrawn: {
    title: 'Your parent or guardian has withdrawn their consent',
    about: 'You can read your feedback, but not assign a folder. Talk with them: they can agree again on their family page.',
  },
}

/** Tells a minor that a guardian's consent is pending, and can resend the email to the same guardian or to another one. */
export function GuardianConsentCard() {
  const answer = useGuardianAnswer()
  const { title, about } = texts[answer === 'refused' || answer === 'withdrawn' ? answer : 'waiting']
  const [open, setOpen] = useState(false)
  const form = usePersistentForm('guardian', { name: '', email: '' })
  const command = useCommand()
  const { data: guardian } = useQuery('GET /api/guardian')
  const { getValues, setValue } = form
  // By default the email goes to the same guardian again, unless the player has typed another address.
  useEffect(() => {
    if (!guardian || getValues('name') || getValues('email')) return
    setValue('name', guardian.name)
    setValue('email', guardian.email)
  }, [guardian, getValues, setValue])
  const { errors } = form.formState
  const submit = form.handleSubmit(async body => {
    const done = await command.run(async () => {
      await sendCommand('POST /api/guardian', { body })
    })
    if (!done) return
    setOpen(false)
    form.forget()
    setQueryData('GET /api/guardian', {}, { ...body, undeliverable: false })
    toast({ title: 'Email sent', description: `We emailed ${body.email}. All they have to do is tap the link in it.` })
  })
  return (
    <section
      aria-labelledby="guardian"
      className="mb-8 flex flex-col gap-3 rounded-card border border-line bg-paper p-4 sm:flex-row sm:items-center sm:p-6"
    >
      <ShieldCheck aria-hidden="true" size={28} strokeWidth={1.75} className="shrink-0 text-sky" />
      <div className="min-w-0 flex-1">
        <h2 id="guardian" className="text-18">
          {title}
        </h2>
        <p className="mt-1 text-ink-2">{about}</p>
        {/* Reserves the line's height until the address has loaded. */}
        <p className="min-h-6 wrap-anywhere">
          {guardian &&
            answer !== 'withdrawn' &&
            (guardian.undeliverable
              ? `Our email to ${guardian.email} came back. Check the address with them, and send it again.`
              : `The email went to ${guardian.email}.`)}
        </p>
      </div>
      <Dialog
        open={open}
        onOpenChange={setOpen}
        title="Send the email again"
        about="To your parent or legal guardian: the same one, or another."
        trigger={answer !== 'withdrawn' && <Button variant="secondary">Send it again</Button>}
        footer={
          <Button type="submit" form="guardian-form" busy={command.busy}>
            Send
          </Button>
        }
      >
        <form id="guardian-form" onSubmit={submit} noValidate className="flex flex-col gap-4">
          <TextField
            label="Their name"
            autoComplete="off"
            error={errors.name?.message}
            {...form.register('name', { validate: v => v.trim() !== '' || "Your parent or guardian's name is required" })}
          />
          <EmailField
            label="Their email"
            autoComplete="off"
            error={errors.email?.message ?? command.message}
            {...form.register('email', {
              pattern: { value: /^\S+@\S+\.\S+$/, message: 'Invalid email address' },
              required: 'Invalid email address',
            })}
          />
        </form>
      </Dialog>
    </section>
  )
}
