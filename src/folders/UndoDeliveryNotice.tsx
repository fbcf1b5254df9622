import { Undo2 } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { ApiError } from '../client/api.ts'
import { navigateAndWaitForReturn } from '../client/navigate-and-wait-for-return.ts'
import { sendCommand } from '../client/send-command.ts'
import { useCommand } from '../client/use-command.ts'
import { Button } from '../ui/button.tsx'
import { FormError } from '../ui/field.tsx'
import { folderQueryInput, sessionPath } from './folder-page-urls-and-query.ts'
import { forgetHeldDelivery, type StoredHeldDelivery } from './held-delivery-storage.ts'

/** Says that a review was delivered and offers to undo it, until the delivery is final. `onFinal` is called then, unless it was undone. */
export function UndoDeliveryNotice({ delivery, onFinal }: { delivery: StoredHeldDelivery; onFinal?: () => void }) {
  const { folder, session, player, about, until } = delivery
  const undo = useCommand()
  const [isFinal, setIsFinal] = useState(false)
  const isUndone = useRef(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another deadline may restart the timer
  useEffect(() => {
    const timer = setTimeout(() => {
      setIsFinal(true)
      // After an undo, this page may still be open at the deadline, while the browser loads the studio.
      if (isUndone.current) return
      forgetHeldDelivery()
      onFinal?.()
    }, until - Date.now())
    return () => clearTimeout(timer)
  }, [until])
  // After the deadline, the notice stays while an undo is running, and shows the error message if the undo failed.
  if (isFinal && !undo.busy && !undo.message) return null
  const run = () =>
    undo.run(async () => {
      try {
        await sendCommand('DELETE /api/folders/{folder}/delivery', folderQueryInput(folder, session))
      } catch (error) {
        if (error instanceof ApiError && error.status === 409) forgetHeldDelivery()
        throw error
      }
      isUndone.current = true
      forgetHeldDelivery()
      await navigateAndWaitForReturn(sessionPath('instructor', folder, session))
      setIsFinal(true)
    })
  return (
    <section
      aria-label="Delivery"
      className="fixed inset-x-4 z-50 mx-auto flex w-fit max-w-[calc(100vw-2rem)] max-sm:right-18 max-sm:bottom-2 max-sm:ml-0 max-sm:max-w-[calc(100vw-5.5rem)] sm:top-16 animate-rise flex-col gap-1 rounded-card border border-line bg-paper py-2 pr-2 pl-4 text-ink shadow-float"
    >
      <div className="flex items-center gap-4">
        <p role="status" className="min-w-0 text-14">
          <span className="font-medium">Delivered to {player}.</span> {about}
        </p>
        {!isFinal && (
          <Button variant="secondary" busy={undo.busy} onClick={run} icon={<Undo2 aria-hidden="true" size={20} strokeWidth={1.75} />}>
            Undo
          </Button>
        )}
      </div>
      <FormError>{undo.message}</FormError>
    </section>
  )
}
