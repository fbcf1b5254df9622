import { CircleCheck, Plus } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { countWithNoun, formatCents } from '../../../modules/format-cents-and-counts.ts'
import type { ApprovalRequestWithInstructorChecks, PaymentCard } from '../../../modules/payments/contract.ts'
import { AUTOMATIC_CHARGE_NOTICE } from '../../../modules/payments/policy.ts'
import { refetchQueries } from '../../client/query.ts'
import { sendCommand } from '../../client/send-command.ts'
import { useCommand } from '../../client/use-command.ts'
import { CompletedChecksLine } from '../../instructors/CompletedChecksLine.tsx'
import { useAddCard } from '../../payments/add-card-on-stripe-page.ts'
import { cardExpiryMonth, cardName, isCardExpired, preferredCard } from '../../payments/card-names-and-expiry.ts'
import { PriceLine, PriceLines } from '../../payments/PriceLines.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { FormError, TextArea } from '../../ui/field.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { toast } from '../../ui/toast.ts'

const icon = { size: 20, strokeWidth: 1.75, 'aria-hidden': true } as const

/** A session that a child requested: its price, the instructor with our checks, and buttons to approve or decline. */
export function ApprovalRequestCard({
  approval,
  cards,
  saving,
}: {
  approval: ApprovalRequestWithInstructorChecks
  cards: PaymentCard[]
  saving: boolean
}) {
  const { id, folder, player, instructor, quote, message, folderName, videos, checks } = approval
  const answer = useCommand()
  const add = useAddCard(`/family/money/${id}`)
  const [declining, setDeclining] = useState(false)
  const [reason, setReason] = useState('')
  const card = preferredCard(cards)
  const isExpired = card !== undefined && isCardExpired(card)
  const child = player.name.split(' ')[0]!
  const params = { assignment: id }

  const send = async (title: string, description: string, request: () => Promise<unknown>) => {
    const done = await answer.run(() => request().finally(() => refetchQueries('GET /api/family/money')))
    if (done) toast({ title, description })
  }
  const approve = () =>
    send('Approved', `${instructor.name} has the folder now.`, () =>
      sendCommand('POST /api/family/approvals/{assignment}/approve', { params }),
    )
  const decline = (event: FormEvent) => {
    event.preventDefault()
    return send('Declined', `${child} sees what you wrote.`, () =>
      sendCommand('POST /api/family/approvals/{assignment}/decline', { params, body: { reason } }),
    )
  }

  return (
    <Card className="flex flex-col gap-4">
      <div>
        <h3 className="text-18">
          {child} would like a session with {instructor.name}
        </h3>
        <p className="text-14 text-ink-2">
          “
          <a href={`/family/folder/${folder}`} className="link">
            {folderName}
          </a>
          ”, {countWithNoun(videos, 'video')}, <RelativeTime at={approval.asked} />
        </p>
        <CompletedChecksLine checks={checks} className="mt-1" />
      </div>
      {message && <p className="max-w-measure wrap-anywhere whitespace-pre-line border-l-3 border-clay pl-4">{message}</p>}
      <PriceLines items={quote.items}>
        <PriceLine strong label="Estimate" cents={quote.total} />
      </PriceLines>
      <p className="text-14 text-ink-2">
        You pay after the feedback, and never more than <strong className="font-medium text-ink">{formatCents(quote.atMost)}</strong> before
        a tip. {AUTOMATIC_CHARGE_NOTICE}
        {card ? ` Your card: ${cardName(card)}.` : ' You need a card first; nothing is charged now.'}
      </p>
      {isExpired && (
        <p className="flex flex-wrap items-center gap-2 text-14">
          <Badge tone="red">Expired {cardExpiryMonth(card)}</Badge>
          Add another card, unless your bank has renewed this one.
        </p>
      )}
      <FormError>{answer.message ?? add.message}</FormError>
      {declining ? (
        <form onSubmit={decline} noValidate className="flex flex-col gap-3">
          <TextArea
            label={`What would you like to tell ${child}?`}
            rows={2}
            required
            maxLength={500}
            autoFocus
            value={reason}
            onChange={event => setReason(event.currentTarget.value)}
          />
          <div className="flex flex-wrap gap-2">
            <Button type="submit" variant="danger" busy={answer.busy}>
              Decline
            </Button>
            <Button variant="secondary" onClick={() => setDeclining(false)}>
              Back
            </Button>
          </div>
        </form>
      ) : (
        <div className="flex flex-wrap gap-2">
          {card ? (
            <Button busy={answer.busy} icon={<CircleCheck {...icon} />} onClick={approve}>
              Approve {formatCents(quote.total)}
            </Button>
          ) : (
            <Button busy={add.busy || saving} icon={<Plus {...icon} />} onClick={add.go}>
              Add a card to approve
            </Button>
          )}
          {isExpired && (
            <Button variant="secondary" busy={add.busy || saving} icon={<Plus {...icon} />} onClick={add.go}>
              Add a card
            </Button>
          )}
          <Button variant="secondary" disabled={answer.busy} onClick={() => setDeclining(true)}>
            Decline
          </Button>
        </div>
      )}
    </Card>
  )
}
