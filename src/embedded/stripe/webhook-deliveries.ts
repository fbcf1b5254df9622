import { createHmac } from 'node:crypto'
import type { BaseLogger } from 'pino'
import { type SandboxStore, type WebhookDelivery, wallClockSeconds } from './store.ts'
import type { FaultInjector } from './test-controls.ts'

const MAX_ATTEMPTS = 40
const MAX_CONCURRENT_DELIVERIES = 4
const DELIVERY_TIMEOUT_MS = 10_000
/** The pause before the next attempt, in ms: one second, then two, four and so on, up to a minute. */
const pause = (attempts: number) => Math.min(60_000, 1000 * 2 ** (attempts - 1))

/** A signature header in Stripe's format: `t=…,v1=…`. */
export const signatureHeader = (body: string, secret: string, t = wallClockSeconds()) =>
  `t=${t},v1=${createHmac('sha256', secret).update(`${t}.${body}`).digest('hex')}`

/**
 * Posts each event until it is accepted or `MAX_ATTEMPTS` have failed, and continues after a restart. Call `wake` after recording events.
 * One URL serves as two endpoints: events of payout accounts are signed with `connectSecret`, as for a separate Stripe Connect endpoint.
 */
export function newWebhookSender(o: {
  store: SandboxStore
  url: string
  secret: string
  connectSecret: string
  faultInjector: FaultInjector
  log: BaseLogger
}) {
  const { store, faultInjector } = o
  const underWay = new Set<string>()
  const stopped = new AbortController()
  let timer: NodeJS.Timeout | undefined

  async function post(id: string) {
    const event = store.get('event', id)
    const body = JSON.stringify(event ? { ...event, pending_webhooks: 1 } : store.get('thin_event', id), null, 2)
    const secret = event && !event.account ? o.secret : o.connectSecret
    const headers = { 'content-type': 'application/json; charset=utf-8', 'user-agent': 'Stripe/1.0 (+https://stripe.com/docs/webhooks)' }
    const signal = AbortSignal.any([stopped.signal, AbortSignal.timeout(DELIVERY_TIMEOUT_MS)])
    const answer = await fetch(o.url, {
      method: 'POST',
      body,
      redirect: 'manual',
      headers: { ...headers, 'stripe-signature': signatureHeader(body, secret) },
      signal,
    })
    await answer.body?.cancel()
    if (!answer.ok) throw new Error(`answered ${answer.status}`)
    return `answered ${answer.status}`
  }

  async function deliver(d: WebhookDelivery) {
    underWay.add(d.id)
    const attempts = d.attempts + 1
    let done = true
    let last: string
    try {
      last = (await Promise.all(Array.from({ length: faultInjector.webhooks.copies }, () => post(d.id))))[0]!
    } catch (e) {
      last = e instanceof Error ? ((e.cause as Error | undefined)?.message ?? e.message) : String(e)
      done = attempts >= MAX_ATTEMPTS
      o.log.debug({ event: d.id, attempts, last }, 'a webhook was not taken')
    }
    underWay.delete(d.id)
    if (stopped.signal.aborted) return
    store.transaction(() => {
      if (!done) return store.put('delivery', { ...d, attempts, last, due: Date.now() + pause(attempts) })
      store.remove('delivery', d.id)
      store.put('delivered', { ...d, attempts, last })
    })
    wake()
  }

  function wake() {
    clearTimeout(timer)
    const { hold, delay, order } = faultInjector.webhooks
    if (hold || stopped.signal.aborted) return
    const at = (d: WebhookDelivery) => (d.attempts ? d.due : d.due + delay)
    const waiting = store.all('delivery').filter(d => !underWay.has(d.id))
    const due = waiting.filter(d => at(d) <= Date.now())
    if (order === 'reversed') due.reverse()
    if (order === 'random') due.sort(() => Math.random() - 0.5)
    const room = (order === 'sent' ? MAX_CONCURRENT_DELIVERIES : 1) - underWay.size
    for (const d of due.slice(0, Math.max(0, room))) void deliver(d)
    const later = waiting.filter(d => at(d) > Date.now()).map(at)
    if (later.length) timer = setTimeout(wake, Math.min(...later) - Date.now() + 1)
  }

  return {
    wake,
    /** Delivers an event again, whatever its earlier outcome. */
    resend(id: string) {
      store.transaction(() => store.put('delivery', { id, attempts: 0, due: Date.now() }))
      wake()
    },
    stop() {
      stopped.abort()
      clearTimeout(timer)
    },
  }
}
