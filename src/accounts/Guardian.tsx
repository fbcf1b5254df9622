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

/** A player under 18 whose guardian has not agreed yet: what that means, and the letter once more. */
export function Guardian() {
  const [open, setOpen] = useState(false)
  const form = usePersistentForm('guardian', { name: '', email: '' })
  const command = useCommand()
  const { data: asked } = useQuery('GET /api/guardian')
  const { getValues, setValue } = form
  // The letter goes to the same person again, unless another was typed.
  useEffect(() => {
    if (!asked || getValues('name') || getValues('email')) return
    setValue('name', asked.name)
    setValue('email', asked.email)
  }, [asked, getValues, setValue])
  const { errors } = form.formState
  const submit = form.handleSubmit(async body => {
    const done = await command.run(async () => {
      await sendCommand('POST /api/guardian', { body })
    })
    if (!done) return
    setOpen(false)
    form.forget()
    setQueryData('GET /api/guardian', {}, body)
    toast({ title: 'Letter sent', description: `We wrote to ${body.email}. One tap on the link in it is all it takes.` })
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
          You can upload now. Before you assign your first folder, they confirm by the link that we sent them.
        </p>
        {/* As high before the address is there. */}
        <p className="min-h-6 wrap-anywhere">{asked && `The letter went to ${asked.email}.`}</p>
      </div>
      <Dialog
        open={open}
        onOpenChange={setOpen}
        title="Send the letter again"
        about="Same person or another one: your parent or legal guardian."
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
