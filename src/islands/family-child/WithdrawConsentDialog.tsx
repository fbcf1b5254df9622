import { useState } from 'react'
import { sendCommand } from '../../client/send-command.ts'
import { useCommand } from '../../client/use-command.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { FormError } from '../../ui/field.tsx'

/** Explains what withdrawing consent does, and asks what should happen to reviews that have been started. */
export function WithdrawConsentDialog({
  child,
  onClose,
  onWithdrawn,
}: {
  child: { id: string; firstName: string }
  onClose: () => void
  onWithdrawn: () => Promise<unknown>
}) {
  const command = useCommand()
  const [reviews, setReviews] = useState<'finish' | 'hand-back'>('finish')
  const withdraw = async () => {
    const done = await command.run(async () => {
      await sendCommand('POST /api/family/children/{child}/consent/withdraw', { params: { child: child.id }, body: { reviews } })
      await onWithdrawn()
    })
    if (done) onClose()
  }
  const choice = (value: typeof reviews, label: string) => (
    <label className="flex min-h-11 items-center gap-3">
      <input
        type="radio"
        name="reviews"
        className="size-5 shrink-0 accent-field"
        checked={reviews === value}
        onChange={() => setReviews(value)}
      />
      {label}
    </label>
  )
  return (
    <Dialog
      open
      onOpenChange={open => open || onClose()}
      title="Withdraw your consent?"
      about={`${child.firstName} will not be able to send anything new to an instructor. You can agree again at any time.`}
      footer={
        <>
          <Button variant="quiet" onClick={onClose}>
            Keep my consent
          </Button>
          <Button variant="danger" busy={command.busy} onClick={withdraw}>
            Withdraw consent
          </Button>
        </>
      }
    >
      <ul className="list-disc space-y-2 pl-5">
        <li>Folders that no instructor has opened are returned to {child.firstName}. Nothing is charged for them.</li>
        <li>Delivered feedback stays, and so does the bill for it.</li>
      </ul>
      <fieldset className="mt-4">
        <legend className="mb-1 font-medium">A review that an instructor has started</legend>
        {choice('finish', 'is finished and charged as agreed')}
        {choice('hand-back', 'is returned, and nothing is charged')}
      </fieldset>
      <FormError>{command.message}</FormError>
    </Dialog>
  )
}
