import { useEffect, useState } from 'react'
import type { Payment } from '../../modules/payments/contract.ts'
import { ButtonLink } from '../ui/button.tsx'
import { cx } from '../ui/cx.ts'
import { Money } from '../ui/money-amount.tsx'

/** On narrow screens, shows the amount due at the bottom of the screen while the bill (`#pay`) is out of view. */
export function StickyPayBar({ payment }: { payment: Payment }) {
  const [there, setThere] = useState(false)
  useEffect(() => {
    const panel = document.getElementById('pay')
    if (!panel) return
    const seen = new IntersectionObserver(([entry]) => setThere(entry!.isIntersecting))
    seen.observe(panel)
    return () => seen.disconnect()
  }, [])
  return (
    <div
      className={cx(
        'sticky bottom-0 z-20 -mx-4 flex items-center justify-between gap-3 border-t border-line bg-paper px-4 py-2 sm:-mx-6 sm:px-6 lg:hidden short:hidden',
        there && 'invisible',
      )}
    >
      <p className="min-w-0">
        <span className="block text-13 text-ink-2">{payment.overdue ? 'Overdue' : 'Due for this feedback'}</span>
        <Money cents={payment.total} className="font-medium" />
      </p>
      <ButtonLink href="#pay" variant="clay">
        See and pay
      </ButtonLink>
    </div>
  )
}
