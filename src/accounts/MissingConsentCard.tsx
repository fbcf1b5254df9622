import { useStore } from '@nanostores/react'
import { ShieldCheck } from 'lucide-react'
import { useEffect, useId, useState } from 'react'
import type { Reply } from '../client/api.ts'
import { $user } from '../client/login-session.ts'
import { usePersistentForm } from '../client/persistent-form.ts'
import { refetchQueries, setQueryData, useQuery } from '../client/query.ts'
import { sendCommand } from '../client/send-command.ts'
import { useCommand } from '../client/use-command.ts'
import { Button } from '../ui/button.tsx'
import { cx } from '../ui/cx.ts'
import { dateFormatter } from '../ui/date-formatter.ts'
import { Dialog } from '../ui/dialog.tsx'
import { EmailField, FormError, TextField } from '../ui/field.tsx'
import { toast } from '../ui/toast.ts'

const NOT_AGREED = {
  waiting: {
    title: 'Waiting for your parent or guardian',
    about: 'You can upload videos now. Before you can assign a folder, they have to agree, using the link we emailed them.',
  },
  refused: {
    title: 'Your parent or guardian said no',
    about: 'You can upload videos, but not assign a folder. Talk to them: they can change their answer on their family page.',
  },
  'refused-after-change': {
    title: 'The person named as your guardian said no',
    about:
      'Your account stays open, but you cannot assign a folder. We have told our support team, and they will work with your family to sort out who should be listed as your parent or guardian.',
  },
  withdrawn: {
    title: 'Your parent or guardian has withdrawn their consent',
    about: 'You can read your feedback, but not assign a folder. Talk to them: they can agree again on their family page.',
  },
}
const day = dateFormatter({ dateStyle: 'long' })

/** Says where the email to the guardian went, when the account will be deleted if they do not agree, and who can help after a refusal. */
function GuardianFacts({ guardian, isRefused }: { guardian: Reply<'GET /api/guardian'>; isRefused: boolean }) {
  const { email, undeliverable, keptUntil } = guardian
  return (
    <>
      {undeliverable ? `Our email to ${email} bounced. Check the address with them, and send it again.` : `The email went to ${email}.`}
      {keptUntil && ` If they do not agree, your account will be deleted on ${day(new Date(keptUntil))}.`}
      {isRefused && (
        <>
          {' '}
          Not your parent or guardian?{' '}
          <a href="/support" className="link">
            Contact support
          </a>{' '}
          to correct it.
        </>
      )}
    </>
  )
}

/**
 * Tells a minor that a guardian's consent is missing. Unless it was withdrawn, the minor can have the email sent again to the guardian, or,
 * while the guardian has not answered, to another one.
 * @param embedded renders a colored notice instead of a card, for use inside another card
 */
export function MissingConsentCard({ embedded = false }: { embedded?: boolean }) {
  const answer = useStore($user)?.guardian
  const headingId = useId()
  const [open, setOpen] = useState(false)
  const form = usePersistentForm('guardian', { name: '', email: '' })
  const command = useCommand()
  // The server's response depends on the guardian's answer, which may change while the page is open.
  const { data: guardian } = useQuery('GET /api/guardian')
  useEffect(() => {
    if (answer === 'refused') refetchQueries('GET /api/guardian')
  }, [answer])
  const isRefused = answer === 'refused'
  const isAfterChange = isRefused && guardian?.canNameAnother === false && guardian.keptUntil === null
  const { title, about } = NOT_AGREED[isAfterChange ? 'refused-after-change' : isRefused || answer === 'withdrawn' ? answer : 'waiting']
  const canNameAnother = answer === 'waiting' && guardian?.canNameAnother !== false
  const { getValues, setValue } = form
  // Fills in the current guardian, unless the player has already typed a name or an address.
  useEffect(() => {
    if (!guardian || getValues('name') || getValues('email')) return
    setValue('name', guardian.name)
    setValue('email', guardian.email)
  }, [guardian, getValues, setValue])
  const { errors } = form.formState
  const send = async (body: { name: string; email: string }) => {
    const done = await command.run(async () => {
      await sendCommand('POST /api/guardian', { body })
    })
    if (!done) return
    setOpen(false)
    form.forget()
    if (guardian) setQueryData('GET /api/guardian', {}, { ...guardian, ...body, undeliverable: false })
    toast({ title: 'Email sent', description: `We emailed ${body.email}. They only have to tap the link in it.` })
  }
  const submit = form.handleSubmit(send)
  return (
    <section
      // `AssignDialog` over a folder's page contains this card too, and two landmarks with the same name could not be told apart.
      role={embedded ? 'group' : undefined}
      aria-labelledby={headingId}
      className={cx(
        'flex flex-col gap-3',
        embedded ? 'rounded-field bg-sky-wash p-3' : 'mb-8 rounded-card border border-line bg-paper p-4 sm:flex-row sm:items-center sm:p-6',
      )}
    >
      <ShieldCheck aria-hidden="true" size={28} strokeWidth={1.75} className="shrink-0 text-sky" />
      <div className="min-w-0 flex-1">
        <h2 id={headingId} className={embedded ? 'text-16' : 'text-18'}>
          {title}
        </h2>
        <p className="mt-1 text-ink-2">{about}</p>
        {answer !== 'withdrawn' && (
          // Reserves the line's height until the address has loaded.
          <p className="min-h-6 wrap-anywhere">{guardian && <GuardianFacts guardian={guardian} isRefused={isRefused} />}</p>
        )}
        {!canNameAnother && <FormError>{command.message}</FormError>}
      </div>
      {canNameAnother ? (
        <Dialog
          open={open}
          onOpenChange={setOpen}
          title="Send the email again"
          about="Send it to the same parent or legal guardian, or to another one."
          trigger={<Button variant="secondary">Send it again</Button>}
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
      ) : (
        guardian &&
        answer !== 'withdrawn' && (
          <Button variant="secondary" busy={command.busy} onClick={() => send({ name: guardian.name, email: guardian.email })}>
            Send it again
          </Button>
        )
      )}
    </section>
  )
}
