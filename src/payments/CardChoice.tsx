import { CreditCard, Plus } from 'lucide-react'
import type { PaymentCard } from '../../modules/payments/contract.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Choice, ChoiceGroup } from '../ui/choices.tsx'
import { FieldError } from '../ui/field.tsx'
import { useAddCard } from './add-card-on-stripe-page.ts'
import { cardExpiryMonth, cardName, isCardExpired } from './card-names-and-expiry.ts'

/**
 * A choice of the saved cards, and a button to add another. `back`: the path to return to with the new card. `refused`: whether a card was
 * just declined; once all cards have been declined, the button to add another becomes the primary one.
 */
export function CardChoice({
  cards,
  value,
  onChange,
  back,
  legend = 'Card',
  refused = () => false,
}: {
  cards: PaymentCard[]
  value: string | undefined
  onChange: (card: string) => void
  back: string
  legend?: string
  refused?: (card: PaymentCard) => boolean
}) {
  const allRefused = value === undefined && cards.length > 0 && cards.every(refused)
  const add = useAddCard(back)
  return (
    <div className="flex flex-col gap-2">
      {cards.length > 0 && (
        <ChoiceGroup legend={legend} className="flex flex-col gap-2">
          {cards.map(card => (
            <Choice
              key={card.id}
              type="radio"
              name="card"
              value={card.id}
              checked={card.id === value}
              onChange={() => onChange(card.id)}
              icon={<CreditCard aria-hidden="true" size={20} strokeWidth={1.75} className="shrink-0 text-ink-2" />}
              label={cardName(card)}
              detail={
                isCardExpired(card) ? (
                  <Badge tone="red">Expired {cardExpiryMonth(card)}</Badge>
                ) : refused(card) ? (
                  <Badge tone="red">Did not go through</Badge>
                ) : (
                  `Expires ${cardExpiryMonth(card)}`
                )
              }
            />
          ))}
        </ChoiceGroup>
      )}
      <Button
        variant={allRefused ? 'primary' : 'secondary'}
        busy={add.busy}
        icon={<Plus aria-hidden="true" size={20} strokeWidth={1.75} />}
        onClick={add.go}
      >
        {cards.length ? 'Add another card' : 'Add a card'}
      </Button>
      <FieldError id="add-card-error" error={add.message} />
    </div>
  )
}
