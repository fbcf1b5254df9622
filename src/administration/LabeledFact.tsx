import type { ReactNode } from 'react'

/** One entry of a description list: a label, and below it the value. */
export const LabeledFact = ({ label, children }: { label: string; children: ReactNode }) => (
  <div>
    <dt className="text-13 text-ink-2">{label}</dt>
    <dd className="font-medium wrap-anywhere">{children}</dd>
  </div>
)
