import { useState } from 'react'
import { createRoot } from 'react-dom/client'
import { countWithNoun } from '../../modules/format-cents-and-counts.ts'
import { countUnsentWork, deleteAccountDataOnDevice, type UnsentWorkCounts } from '../client/account-data-on-device.ts'
import { currentAccountId, logout } from '../client/login-session.ts'
import { waitAtMost } from '../page-load/wait-at-most.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'

/** How long, at most, a logout waits for the account's data on this device to be deleted. */
const DELETING_MS = 2000

const countUnlessZero = (n: number, noun: string) => (n ? [countWithNoun(n, noun)] : [])

function UnsentWorkDialog({
  unsent,
  onAnswer,
  onClosed,
}: {
  unsent: UnsentWorkCounts
  onAnswer: (sure: boolean) => void
  onClosed: () => void
}) {
  const [open, setOpen] = useState(true)
  const answer = (sure: boolean) => {
    setOpen(false)
    onAnswer(sure)
  }
  const what = [...countUnlessZero(unsent.reviews, 'review'), ...countUnlessZero(unsent.recordings, 'voice-over')].join(' and ')
  return (
    <Dialog
      open={open}
      onOpenChange={to => to || answer(false)}
      onClosed={onClosed}
      title="Log out and delete unsaved work?"
      about={`${what} on this device may not have been uploaded yet. Logging out deletes it here, so that nobody else who uses this device can find it.`}
      footer={
        <>
          <Button variant="quiet" onClick={() => answer(true)}>
            Delete and log out
          </Button>
          <Button onClick={() => answer(false)}>Stay logged in</Button>
        </>
      }
    >
      <p>To keep it, stay logged in and open the review once you are online. It uploads automatically.</p>
    </Dialog>
  )
}

/** Opens a dialog that asks whether to delete unsent work; resolves to the answer. */
function askToDelete(unsent: UnsentWorkCounts): Promise<boolean> {
  const place = document.body.appendChild(document.createElement('div'))
  const root = createRoot(place)
  const close = () => {
    root.unmount()
    place.remove()
  }
  return new Promise(answer => root.render(<UnsentWorkDialog unsent={unsent} onAnswer={answer} onClosed={close} />))
}

async function leaveOnce() {
  const account = currentAccountId()
  const unsent = await countUnsentWork(account)
  if ((unsent.reviews || unsent.recordings) && !(await askToDelete(unsent))) return
  await waitAtMost(DELETING_MS, deleteAccountDataOnDevice(account))
  await logout()
}

let leaving: Promise<void> | undefined
/** Logs out and deletes the account's data on this device; asks first if unsent work would be lost. */
export function logoutAndClearDevice(): Promise<void> {
  leaving ??= leaveOnce().finally(() => {
    leaving = undefined
  })
  return leaving
}
