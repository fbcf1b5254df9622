import { Link2 } from 'lucide-react'
import { Suspense, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { lazyWithRetry } from '../../ui/lazy-with-retry.tsx'
import type { ReviewSharer } from './review-links.ts'

const ReviewLinksDialog = lazyWithRetry(() => import('./ReviewLinksDialog.tsx').then(m => ({ default: m.ReviewLinksDialog })))

/** Offers private links to a review, for example for grandparents or a team coach. Shown on the player's page and on the guardian's. */
export function ReviewLinksButtonCard({ sharer }: { sharer: ReviewSharer }) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <section aria-labelledby="share" className="rounded-card border border-line bg-paper p-4 sm:p-6">
      <h2 id="share" className="text-18">
        Share this review
      </h2>
      <p className="mt-1 text-14 text-ink-2">
        A private link for grandparents or a team coach. You can see how often it has been opened, and revoke it at any time.
      </p>
      <Button
        variant="secondary"
        wide
        icon={<Link2 aria-hidden="true" size={20} strokeWidth={1.75} />}
        onClick={() => setIsOpen(true)}
        className="mt-4"
      >
        Private links
      </Button>
      <Suspense fallback={null}>{isOpen && <ReviewLinksDialog sharer={sharer} onClose={() => setIsOpen(false)} />}</Suspense>
    </section>
  )
}
