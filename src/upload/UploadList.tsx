import { Suspense, useEffect, useState } from 'react'
import { cx } from '../ui/cx.ts'
import { lazyWithRetry } from '../ui/lazy-with-retry.tsx'
import { Row } from './Row.tsx'
import { BUSY, GOING, type Item, type Uploads } from './uploads.ts'

const Trim = lazyWithRetry(() => import('./Trim.tsx').then(m => ({ default: m.Trim })))
const prevent = (e: Event) => e.preventDefault()

/** Uploads under way, each with its own state. `onChoose`: pick the file of an unfinished one again. */
export function UploadList({
  uploads,
  items,
  onChoose,
  className,
}: {
  uploads: Uploads
  items: readonly Item[]
  onChoose: () => void
  className?: string | undefined
}) {
  const [cutting, setCutting] = useState<{ id: string; going: boolean }>()
  const busy = items.some(i => BUSY.includes(i.state))
  useEffect(() => {
    if (!busy) return
    window.addEventListener('beforeunload', prevent)
    return () => window.removeEventListener('beforeunload', prevent)
  }, [busy])

  const held = cutting && uploads.held(cutting.id)
  if (!items.length) return null
  return (
    <>
      <ul className={cx('divide-y divide-line', className)} aria-label="Uploads">
        {items.map(item => (
          <Row
            key={item.id}
            item={item}
            onPause={() => uploads.pause(item.id)}
            onResume={() => uploads.resume(item.id)}
            onCancel={() => uploads.cancel(item.id)}
            onChoose={onChoose}
            onTrim={() => {
              // Nothing more of what may be cut off is sent meanwhile.
              const going = GOING.includes(item.state)
              if (going) uploads.pause(item.id)
              setCutting({ id: item.id, going })
            }}
            onShrink={() => uploads.shrink(item.id)}
            onStopShrinking={() => uploads.stopShrinking(item.id)}
          />
        ))}
      </ul>
      {cutting && held && (
        <Suspense fallback={null}>
          <Trim
            {...held}
            onClose={() => {
              setCutting(undefined)
              if (cutting.going) uploads.resume(cutting.id)
            }}
            onCut={(file, said) => {
              setCutting(undefined)
              uploads.exchange(cutting.id, file, held.type, said)
            }}
          />
        </Suspense>
      )}
    </>
  )
}
