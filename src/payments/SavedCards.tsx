import { CreditCard, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { PaymentCard } from '../../modules/payments/contract.ts'
import { isFamilyPage } from '../client/is-family-page.ts'
import { refetchQueries } from '../client/query.ts'
import { sendCommand } from '../client/send-command.ts'
import { useCommand } from '../client/use-command.ts'
import { Badge } from '../ui/badge.tsx'
import { Button, IconButton } from '../ui/button.tsx'
import { FieldError } from '../ui/field.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { toast } from '../ui/toast.ts'
import { useAddCard } from './add-card-on-stripe-page.ts'
import { cardExpiryMonth, cardName, isCardExpired } from './card-names-and-expiry.ts'

const icon = { size: 20, strokeWidth: 1.75, 'aria-hidden': true } as const

const commandsOf = (forFamily: boolean) =>
  forFamily
    ? {
        prefer: (card: string) => sendCommand('POST /api/family/cards/{card}/prefer', { params: { card } }),
        remove: (card: string) => sendCommand('DELETE /api/family/cards/{card}', { params: { card } }),
      }
    : {
        prefer: (card: string) => sendCommand('POST /api/cards/{card}/prefer', { params: { card } }),
        remove: (card: string) => sendCommand('DELETE /api/cards/{card}', { params: { card } }),
      }

/**
 * The saved cards of a player or a guardian, with buttons to choose the default card and to add and remove cards. `cards` is undefined
 * while loading. `back`: the path to return to after adding a card; it also determines whose cards these are. `none`: the text shown if
 * there are no cards.
 */
export function SavedCards({
  cards,
  saving,
  back,
  none,
}: {
  cards: PaymentCard[] | undefined
  saving: boolean
  back: string
  none: string
}) {
  const add = useAddCard(back)
  const commands = commandsOf(isFamilyPage(back))
  const change = useCommand()
  const [confirmingCard, setConfirmingCard] = useState<string>()
  const act = async (title: string, request: () => Promise<unknown>) => {
    const done = await change.run(() => request().finally(() => refetchQueries('GET /api/billing', 'GET /api/family/money')))
    if (done) toast({ title })
  }
  return (
    <section aria-labelledby="cards" className="rounded-card border border-line bg-paper">
      <div className="flex items-center justify-between gap-3 p-4 sm:px-6">
        <h2 id="cards" className="text-18">
          Saved cards
        </h2>
        <Button variant="secondary" size="sm" busy={add.busy || saving} icon={<Plus {...icon} />} onClick={add.go}>
          Add a card
        </Button>
      </div>
      {!cards ? (
        <div className="border-t border-line py-3 pr-2 pl-4 sm:px-6">
          <Skeleton className="h-11" />
        </div>
      ) : cards.length === 0 ? (
        <p className="border-t border-line p-4 text-ink-2 sm:px-6">{saving ? 'Saving your card…' : none}</p>
      ) : (
        <ul className="divide-y divide-line border-t border-line">
          {cards.map(card => (
            <li key={card.id} className="flex flex-wrap items-center gap-3 py-3 pr-2 pl-4 sm:pr-4 sm:pl-6">
              <CreditCard {...icon} className="shrink-0 text-ink-2" />
              <span className="min-w-0 flex-1">
                <span className="block font-medium">{cardName(card)}</span>
                <span className="block text-13 text-ink-2">
                  {isCardExpired(card) ? <Badge tone="red">Expired {cardExpiryMonth(card)}</Badge> : `Expires ${cardExpiryMonth(card)}`}
                </span>
              </span>
              {card.preferred ? (
                <Badge tone="field" dot>
                  In use
                </Badge>
              ) : (
                <Button
                  variant="quiet"
                  size="sm"
                  disabled={change.busy}
                  aria-label={`Use ${cardName(card)}`}
                  onClick={() => act('Card changed', () => commands.prefer(card.id))}
                >
                  Use this
                </Button>
              )}
              {confirmingCard === card.id ? (
                <Button
                  variant="danger"
                  size="sm"
                  busy={change.busy}
                  aria-label={`Yes, remove ${cardName(card)}`}
                  onClick={() => act('Card removed', () => commands.remove(card.id)).then(() => setConfirmingCard(undefined))}
                >
                  Remove
                </Button>
              ) : (
                <IconButton label={`Remove ${cardName(card)}`} onClick={() => setConfirmingCard(card.id)}>
                  <Trash2 {...icon} />
                </IconButton>
              )}
            </li>
          ))}
        </ul>
      )}
      <div className="px-4 pb-3 empty:hidden sm:px-6">
        <FieldError id="cards-error" error={change.message ?? add.message} />
      </div>
    </section>
  )
}
