import type Stripe from 'stripe'
import type { ApiHandler } from '../api-handler-types.ts'
import { pageOfList } from '../paginate-lists-and-searches.ts'
import { newStripeId, type SandboxStore, wallClockSeconds } from '../store.ts'
import { noSuchObject } from '../stripe-error.ts'

export const STRIPE_API_VERSION = '2026-10-28.endive'

/** Records an event and its pending delivery to the webhook, in the same transaction as the change that it describes. */
export function emitStripeEvent(store: SandboxStore, type: Stripe.Event['type'], object: object, account?: string) {
  const event = {
    id: newStripeId('evt'),
    object: 'event',
    ...(account && { account }),
    api_version: STRIPE_API_VERSION,
    created: wallClockSeconds(),
    data: { object },
    livemode: false,
    pending_webhooks: 1,
    request: { id: null, idempotency_key: null },
    type,
  } as unknown as Stripe.Event
  store.put('event', event)
  store.put('delivery', { id: event.id, attempts: 0, due: Date.now() })
}

/** Records a thin event of version 2 of the API. It only names the account, and the receiver fetches its data. */
export function emitThinEvent(store: SandboxStore, type: string, account: string) {
  const related_object = { id: account, type: 'v2.core.account', url: `/v2/core/accounts/${account}` }
  const created = new Date().toISOString()
  const event = {
    id: newStripeId('evt'),
    object: 'v2.core.event' as const,
    type,
    livemode: false,
    created,
    context: account,
    related_object,
  }
  store.put('thin_event', event)
  store.put('delivery', { id: event.id, attempts: 0, due: Date.now() })
}

const withPendingWebhooks = (store: SandboxStore, event: Stripe.Event) => ({
  ...event,
  pending_webhooks: store.get('delivery', event.id) ? 1 : 0,
})

export const retrieveEvent: ApiHandler = ({ store, at: [id] }) => {
  const event = store.get('event', id!)
  if (!event) throw noSuchObject('event', id!)
  return withPendingWebhooks(store, event)
}
export const listEvents: ApiHandler = call => {
  const page = pageOfList(call, call.store.all('event'), { type: e => e.type })
  return { ...page, data: page.data.map(e => withPendingWebhooks(call.store, e)) }
}
