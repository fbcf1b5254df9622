import { useRef } from 'react'
import type { ListedMediaJob } from '../../../modules/media/contract.ts'
import { decisionReasonRules } from '../../administration/decision-reason-rules.ts'
import { callApi } from '../../client/api.ts'
import { usePersistentForm } from '../../client/persistent-form.ts'
import { refetchQueries } from '../../client/query.ts'
import { useCommand } from '../../client/use-command.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextArea } from '../../ui/field.tsx'

/** Ends the processing of a video for good; the player reads the reason and may upload a replacement. */
export function RefuseVideoDialog({ job, onClose, onRefused }: { job: ListedMediaJob; onClose: () => void; onRefused: () => void }) {
  const { video, kind } = job
  const isRefused = useRef(false)
  const form = usePersistentForm<{ reason: string }>(`refuse-${video}`, { reason: '' })
  const { run, busy, message } = useCommand()
  const submit = form.handleSubmit(async body => {
    const done = await run(() => callApi('POST /api/admin/media/{video}/refuse', { params: { video }, query: { kind }, body }))
    await refetchQueries('GET /api/admin/media')
    if (!done) return
    form.forget()
    isRefused.current = true
    onClose()
  })
  return (
    <Dialog
      title="Refuse this video?"
      about="Preparation stops. The player sees your reason and can replace the video."
      open
      onOpenChange={onClose}
      // The focus can leave the dialog only after it has closed.
      onClosed={() => isRefused.current && onRefused()}
    >
      <form onSubmit={submit} noValidate className="flex flex-col gap-4">
        <TextArea
          label="Reason"
          hint="The player sees this beside the video."
          rows={2}
          error={form.formState.errors.reason?.message ?? message}
          {...form.register('reason', decisionReasonRules)}
        />
        <Button type="submit" variant="danger" busy={busy} className="self-start">
          Refuse video
        </Button>
      </form>
    </Dialog>
  )
}
