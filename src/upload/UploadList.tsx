import { Suspense, useEffect, useState } from 'react'
import { cx } from '../ui/cx.ts'
import { lazyWithRetry } from '../ui/lazy-with-retry.tsx'
import { UploadRow } from './UploadRow.tsx'
import { BUSY_UPLOAD_STATES, PAUSABLE_UPLOAD_STATES, type UploadItem } from './upload-item.ts'
import type { UploadQueue } from './upload-queue.ts'

const TrimDialog = lazyWithRetry(() => import('./TrimDialog.tsx').then(m => ({ default: m.TrimDialog })))
const prevent = (e: Event) => e.preventDefault()

/** The uploads that are in progress or interrupted. `onChoose` opens a file dialog for choosing an interrupted upload's file again. */
export function UploadList({
  uploads,
  items,
  onChoose,
  className,
}: {
  uploads: UploadQueue
  items: readonly UploadItem[]
  onChoose: () => void
  className?: string | undefined
}) {
  const [trimming, setTrimming] = useState<{ id: string; wasSending: boolean }>()
  const isBusy = items.some(i => BUSY_UPLOAD_STATES.includes(i.state))
  useEffect(() => {
    if (!isBusy) return
    window.addEventListener('beforeunload', prevent)
    return () => window.removeEventListener('beforeunload', prevent)
  }, [isBusy])

  const source = trimming && uploads.sourceOf(trimming.id)
  if (!items.length) return null
  return (
    <>
      <ul className={cx('divide-y divide-line', className)} aria-label="Uploads">
        {items.map(item => (
          <UploadRow
            key={item.id}
            item={item}
            onPause={() => uploads.pause(item.id)}
            onResume={() => uploads.resume(item.id)}
            onCancel={() => uploads.cancel(item.id)}
            onChoose={onChoose}
            onTrim={() => {
              // The upload pauses during trimming, so that it sends no bytes that the player may cut off.
              const wasSending = PAUSABLE_UPLOAD_STATES.includes(item.state)
              if (wasSending) uploads.pause(item.id)
              setTrimming({ id: item.id, wasSending })
            }}
            onCompress={() => uploads.compress(item.id)}
            onStopCompressing={() => uploads.stopCompressing(item.id)}
          />
        ))}
      </ul>
      {trimming && source && (
        <Suspense fallback={null}>
          <TrimDialog
            {...source}
            onClose={() => {
              setTrimming(undefined)
              if (trimming.wasSending) uploads.resume(trimming.id)
            }}
            onTrimmed={(file, summary) => {
              setTrimming(undefined)
              uploads.exchange(trimming.id, file, source.type, summary)
            }}
          />
        </Suspense>
      )}
    </>
  )
}
