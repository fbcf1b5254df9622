import { HandCoins } from 'lucide-react'
import { countWithNoun } from '../../../modules/format-cents-and-counts.ts'
import { Badge } from '../../ui/badge.tsx'
import { Card } from '../../ui/card.tsx'

/** Tells a minor that the guardian pays. `credits`: sessions left in packages that the guardian bought. */
export const GuardianManagesPaymentsNotice = ({ credits }: { credits: number }) => (
  <Card className="flex max-w-2xl gap-3">
    <HandCoins aria-hidden="true" size={24} strokeWidth={1.75} className="shrink-0 text-field" />
    <div className="flex min-w-0 flex-col items-start gap-2">
      <h2 className="text-18">Your parent or guardian pays</h2>
      <p className="text-ink-2">
        They manage cards, bills and packages, and approve each paid session from an email. If you need a card or a package, ask your parent
        or guardian.
      </p>
      {credits > 0 && (
        <Badge tone="gold" dot>
          {countWithNoun(credits, 'prepaid session')} left
        </Badge>
      )}
    </div>
  </Card>
)
