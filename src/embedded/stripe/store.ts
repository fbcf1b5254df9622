import { randomBytes } from 'node:crypto'
import type Stripe from 'stripe'
import { openJournal, replaceJournal } from './journal.ts'
import { StripeError } from './stripe-error.ts'

/** What the sandbox remembers of a card beside what it tells. Test numbers only: no other is ever taken. */
interface Vault {
  id: string
  number: string
  /** Its owner authenticated it once for later charges. */
  setUp: boolean
  /** Was taken off a customer: it may not be used again. */
  detached: boolean
  /** Test card whose behaviour it has from now on (set on the overview). */
  behavesAs?: string
}
/** An event on its way to the webhook (`delivery`), or done with (`delivered`), taken or given up. Has the event's id. */
export interface WebhookDelivery {
  id: string
  attempts: number
  /** Milliseconds. */
  due: number
  /** What came of the last attempt. */
  last?: string
}
/** A single-use link or what it opened. */
export interface AccountLink {
  id: string
  kind: 'onboarding' | 'onboarding-page' | 'express'
  account: string
  expires: number
  returnUrl: string
  refreshUrl: string
}
export interface IdempotentAnswer {
  id: string
  fingerprint: string
  status: number
  body: string
  at: number
}
/** What the sandbox starts from, beside what was paid: a record of the store, so that a restart changes nothing. */
export interface Platform {
  id: 'platform'
  /** How far the sandbox's clock is ahead of the machine's. Money becomes available and idempotency keys expire by it. */
  aheadMs: number
  /** Cents of the business before its first sale, which may come to less than nothing in a test. */
  startingCents: number
}
/** An event of the second version of the API: it names an object, and says nothing of it. */
export interface ThinEvent {
  id: string
  object: 'v2.core.event'
  type: string
  livemode: boolean
  created: string
  context: string
  related_object: { id: string; type: string; url: string }
}
/** What was paid out of a payout account to its owner's bank: cents, and milliseconds. */
export interface AccountPayout {
  id: string
  account: string
  amount: number
  at: number
}
export interface SessionRecord {
  id: string
  session: Stripe.Checkout.Session
  items: { name: string; amount: number; quantity: number }[]
  intentData: { metadata?: Record<string, string>; transfer_group?: string; description?: string; setup_future_usage?: string }
}

interface Kinds {
  customer: Stripe.Customer
  payment_method: Stripe.PaymentMethod
  vault: Vault
  setup_intent: Stripe.SetupIntent
  session: SessionRecord
  payment_intent: Stripe.PaymentIntent
  charge: Stripe.Charge
  refund: Stripe.Refund
  transfer: Stripe.Transfer
  payout: AccountPayout
  account: Stripe.Account
  link: AccountLink
  dispute: Stripe.Dispute
  balance_transaction: Stripe.BalanceTransaction
  event: Stripe.Event
  thin_event: ThinEvent
  delivery: WebhookDelivery
  delivered: WebhookDelivery
  answered: IdempotentAnswer
  platform: Platform
}
export type ObjectKind = keyof Kinds

export interface Store {
  get<K extends ObjectKind>(kind: K, id: string): Kinds[K] | undefined
  /** Oldest first. */
  all<K extends ObjectKind>(kind: K): Kinds[K][]
  /** New or in place of what has its id. Objects are replaced, never changed. */
  put<K extends ObjectKind>(kind: K, value: Kinds[K]): Kinds[K]
  remove(kind: ObjectKind, id: string): void
  /** All of what `work` puts is written in one line, or nothing. A card that is declined leaves its traces. */
  transaction<T>(work: () => T): T
  close(): void
}

const DAY_MS = 86_400_000

/** Everything the sandbox knows: in memory, and in a journal that brings it back. */
export function openStore(file: string): Store {
  const kinds = new Map<ObjectKind, Map<string, { id: string }>>()
  const of = (kind: ObjectKind) => kinds.get(kind) ?? kinds.set(kind, new Map()).get(kind)!
  let journal = openJournal(file)
  const lines = journal.lines()
  for (const line of lines)
    for (const [kind, id, value] of JSON.parse(line) as [ObjectKind, string, { id: string } | null][])
      if (value) of(kind).set(id, value)
      else of(kind).delete(id)

  const ahead = (of('platform').get('platform') as Platform | undefined)?.aheadMs ?? 0
  const yesterday = Date.now() + ahead - DAY_MS
  for (const { id, at } of of('answered').values() as Iterable<IdempotentAnswer>) if (at < yesterday) of('answered').delete(id)
  const kept = [...kinds].flatMap(([kind, values]) => [...values.values()].map(v => JSON.stringify([[kind, v.id, v]])))
  if (lines.length > 1000 && lines.length > kept.length * 2) {
    journal.close()
    replaceJournal(file, kept)
    journal = openJournal(file)
  }

  let open: { changed: Map<string, [ObjectKind, string]>; undo: (() => void)[] } | undefined
  const change = (kind: ObjectKind, id: string, value: { id: string } | undefined) => {
    if (!open) throw new Error('A change outside of a transaction')
    const values = of(kind)
    const before = values.get(id)
    open.undo.push(() => (before ? values.set(id, before) : values.delete(id)))
    open.changed.set(`${kind} ${id}`, [kind, id])
    if (value) values.set(id, Object.freeze(value))
    else values.delete(id)
  }
  return {
    get: (kind, id) => of(kind).get(id) as never,
    all: kind => [...of(kind).values()] as never,
    put(kind, value) {
      change(kind, value.id, value)
      return value
    },
    remove: (kind, id) => change(kind, id, undefined),
    transaction(work) {
      if (open) return work()
      open = { changed: new Map(), undo: [] }
      const { changed, undo } = open
      const commit = () => {
        if (changed.size) journal.append(JSON.stringify([...changed.values()].map(([kind, id]) => [kind, id, of(kind).get(id) ?? null])))
      }
      try {
        const result = work()
        commit()
        return result
      } catch (e) {
        if (e instanceof StripeError && e.type === 'card_error') commit()
        else for (const restore of undo.reverse()) restore()
        throw e
      } finally {
        open = undefined
      }
    },
    close: () => journal.close(),
  }
}

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
/** `cus_` and 24 letters. */
export const newId = (prefix: string, length = 24) => `${prefix}_${[...randomBytes(length)].map(b => letters[b % letters.length]).join('')}`

/** Seconds, as Stripe counts. */
export const nowSeconds = () => Math.floor(Date.now() / 1000)
