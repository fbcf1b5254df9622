import { ArrowLeft } from 'lucide-react'
import type { Payment, Purchase } from '../../../modules/payments/contract.ts'
import { PackageReceipt, Receipt } from '../../payments/Receipt.tsx'

/** The receipt of a paid bill, or of a package. */
export default function FamilyReceiptScreen({ payment, bought }: { payment?: Payment | undefined; bought?: Purchase | undefined }) {
  return (
    <div className="page py-6">
      <a
        href="/family/money"
        className="mb-4 inline-flex min-h-11 items-center gap-1.5 text-14 font-medium text-ink-2 hover:text-ink print:hidden"
      >
        <ArrowLeft aria-hidden="true" size={18} strokeWidth={1.75} />
        Sessions and costs
      </a>
      <h1 className="sr-only">Receipt {(payment ?? bought)!.receipt}</h1>
      {payment ? <Receipt payment={payment} /> : <PackageReceipt purchase={bought!} />}
    </div>
  )
}
