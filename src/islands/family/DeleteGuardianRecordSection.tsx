import { useState } from 'react'
import { callApi } from '../../client/api.ts'
import { useCommand } from '../../client/use-command.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { FormError } from '../../ui/field.tsx'

/** Lets a guardian who has no children on the site delete their own data; a dialog first says what will be deleted. */
export function DeleteGuardianRecordSection() {
  const command = useCommand()
  const [isOpen, setOpen] = useState(false)
  const erase = async () => {
    const done = await command.run(async () => {
      await callApi('DELETE /api/family')
      return true
    })
    if (done) location.assign('/')
  }
  return (
    <>
      <Button variant="secondary" onClick={() => setOpen(true)}>
        Delete my record
      </Button>
      <Dialog
        title="Delete your name and cards?"
        open={isOpen}
        onOpenChange={setOpen}
        footer={
          <>
            <Button variant="secondary" onClick={() => setOpen(false)}>
              Keep them
            </Button>
            <Button variant="danger" busy={command.busy} onClick={erase}>
              Delete
            </Button>
          </>
        }
      >
        <p>
          Your name, email and saved cards will be deleted, and you will be logged out everywhere. Your payments stay on record without your
          name, as tax law requires. This cannot be undone.
        </p>
        <FormError>{command.message}</FormError>
      </Dialog>
    </>
  )
}
