import { Suspense, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { lazyWithRetry } from '../../ui/lazy-with-retry.tsx'

const UnreconciledChargesDialog = lazyWithRetry(() =>
  import('./UnreconciledChargesDialog.tsx').then(m => ({ default: m.UnreconciledChargesDialog })),
)

/**
 * A card with a button that searches Stripe for payments that the log lacks or records differently, as can happen after a backup has been
 * restored.
 */
export function CompareStripeWithLogCard() {
  const [open, setOpen] = useState(false)
  return (
    <section
      aria-labelledby="stripe"
      className="flex flex-wrap items-center justify-between gap-3 rounded-card border border-line bg-paper p-4"
    >
      <h2 id="stripe" className="text-16">
        Payments at Stripe
      </h2>
      <Button variant="secondary" onClick={() => setOpen(true)}>
        Compare with the log
      </Button>
      {open && (
        <Suspense fallback={null}>
          <UnreconciledChargesDialog onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </section>
  )
}
