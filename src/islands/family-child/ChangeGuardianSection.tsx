import { Suspense, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { lazyWithRetry } from '../../ui/lazy-with-retry.tsx'

const ChangeGuardianDialog = lazyWithRetry(() => import('./ChangeGuardianDialog.tsx').then(m => ({ default: m.ChangeGuardianDialog })))

/** Lets a child's guardian name another guardian as their replacement. */
export function ChangeGuardianSection({ child }: { child: { id: string; firstName: string } }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <section aria-labelledby="next-guardian-title">
      <h2 id="next-guardian-title" className="mb-1 text-22">
        Another parent or guardian
      </h2>
      <p className="mb-4 text-ink-2">Each player has one guardian listed at a time. You can name someone else to replace you.</p>
      <Button variant="secondary" onClick={() => setOpen(true)}>
        Name another guardian
      </Button>
      <Suspense fallback={null}>{isOpen && <ChangeGuardianDialog child={child} onClose={() => setOpen(false)} />}</Suspense>
    </section>
  )
}
