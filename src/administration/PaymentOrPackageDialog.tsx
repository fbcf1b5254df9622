import { Suspense } from 'react'
import { lazyWithRetry } from '../ui/lazy-with-retry.tsx'
import type { PaymentOrPackageReference } from './EventLogEntry.tsx'

const PackagePurchaseDialog = lazyWithRetry(() => import('./PackagePurchaseDialog.tsx').then(m => ({ default: m.PackagePurchaseDialog })))
const PaymentDialog = lazyWithRetry(() => import('./PaymentDialog.tsx').then(m => ({ default: m.PaymentDialog })))

/** The selected payment or package, with the actions available to an administrator. */
export const PaymentOrPackageDialog = ({ of: { noun, id }, onClose }: { of: PaymentOrPackageReference; onClose: () => void }) => (
  <Suspense fallback={null}>
    {noun === 'payment' ? <PaymentDialog id={id} onClose={onClose} /> : <PackagePurchaseDialog id={id} onClose={onClose} />}
  </Suspense>
)
