import { ShieldCheck } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useCommand } from '../client/command.ts'
import { usePersistentForm } from '../client/persistent-form.ts'
import { setQueryData, useQuery } from '../client/query.ts'
import { sendCommand } from '../client/send-command.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { EmailField, TextField } from '../ui/field.tsx'
import { toast } from '../ui/toast.ts'

/** Tells a player under 18 that a guardian has yet to agree, and sends the email again, to the same guardian or to another one. */
export function GuardianConsentCard() {
  const [open, setOpen] = useState(false)
  const form = usePersistentForm('guardian', { name: '', email: '' })
  const command = useCommand()
  const { data: guardian } = useQuery('GET /api/guardian')
  const { getValues, setValue } = form
  // The email goes to the same guardian again, unless the player has typed another one.
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
    setQueryData('GET /api/guardian', {}, body)
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
          Waiting for your parent or guardian
        </h2>
        <p className="mt-1 text-ink-2">
          You can upload videos now. Before you can assign a folder, they have to confirm by the link that we emailed them.
        </p>
        {/* The height is reserved until the address has loaded. */}
        <p className="min-h-6 wrap-anywhere">{guardian && `The email went to ${guardian.email}.`}</p>
      </div>
      <Dialog
        open={open}
        onOpenChange={setOpen}
        title="Send the email again"
        about="To your parent or legal guardian: the same one, or another."
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
    </section>
  )
}
