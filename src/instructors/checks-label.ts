import type { PublicCheck } from '../../modules/instructors/contract.ts'

const CHECK_LABELS: Record<PublicCheck['kind'], string> = {
  identity: 'identity',
  background: 'background',
  certificate: 'coaching certificate',
  safesport: 'SafeSport',
  reference: 'reference',
}
const CHECK_ORDER = Object.keys(CHECK_LABELS)
/** Formatted in UTC, because a calendar day must not shift with the viewer's time zone. */
const monthOf = (day: string) => new Date(day).toLocaleDateString('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' })

/** The checks, grouped by month: 'identity · background, May 2026; reference, June 2026'; undefined if there are none. */
export function checksLabel(checks: readonly PublicCheck[] = []): string | undefined {
  const months: Record<string, string[]> = {}
  for (const { kind, checked } of [...checks].sort((a, b) => CHECK_ORDER.indexOf(a.kind) - CHECK_ORDER.indexOf(b.kind))) {
    const month = monthOf(checked)
    months[month] = [...(months[month] ?? []), CHECK_LABELS[kind]]
  }
  return (
    Object.entries(months)
      .map(([month, labels]) => `${labels.join(' · ')}, ${month}`)
      .join('; ') || undefined
  )
}
