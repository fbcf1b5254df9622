import { randomBytes } from 'node:crypto'
import type Stripe from 'stripe'
import { openJournal, replaceJournal } from './journal.ts'
import { StripeError } from './stripe-error.ts'

/** The data about a card that the API does not reveal. It only ever holds test numbers, because the sandbox accepts no others. */
interface Vault {
  id: string
  number: string
  /** Whether the cardholder has authenticated the card for future charges. */
  setUp: boolean
  /** Whether the card can no longer be used: it was detached from its customer, or paid once without being attached to one. */
  detached: boolean
  /** The number of the test card whose behavior the overview page has assigned to this card. */
  behavesAs?: string
}
/**
 * The delivery of an event to the webhook; `id` is the event's id. It is stored under `delivery` while pending, and under `delivered` once
 * it has been accepted or given up on.
 */
export interface WebhookDelivery {
  id: string
  attempts: number
  /** Due time in ms since 1970. */
  due: number
  /** The outcome of the last attempt. */
  last?: string
}
/**
 * A link to a page about a payout account. `onboarding` can be used once; `onboarding-page` is the form that it opened; `express` leads to
 * the account's dashboard.
 */
export interface AccountLink {
  id: string
  kind: 'onboarding' | 'onboarding-page' | 'express'
  account: string
  expires: number
  returnUrl: string
  refreshUrl: string
}
export interface IdempotentResponse {
  id: string
  fingerprint: string
  status: number
  body: string
  at: number
}
/** State of the platform that does not come from payments. It is a record in the store, so that it survives a restart. */
export interface ClockAndStartingBalance {
  id: 'platform'
  /** How far the sandbox's clock is ahead of the machine's, in ms. Money becomes available and idempotency keys expire by that clock. */
  aheadMs: number
  /** The business's balance in cents before its first sale; tests may make it negative. */
  startingCents: number
}
/** A v2 API event: it names an object but contains no data about it. */
export interface ThinEvent {
  id: string
  object: 'v2.core.event'
  type: string
  livemode: boolean
  created: string
  context: string
  related_object: { id: string; type: string; url: string }
}
/** A payout from a payout account to its owner's bank. `amount`: in cents; `at`: in ms since 1970. */
export interface AccountPayout {
  id: string
  account: string
  amount: number
  at: number
}
export interface CheckoutSessionRecord {
  id: string
  session: Stripe.Checkout.Session
  items: { name: string; amount: number; quantity: number }[]
  intentData: { metadata?: Record<string, string>; transfer_group?: string; description?: string; setup_future_usage?: string }
  /** Whether the billing address becomes the customer's; absent in sessions that an earlier version stored. */
  updatesCustomerAddress?: boolean
}

interface RecordsByKind {
  customer: Stripe.Customer
  payment_method: Stripe.PaymentMethod
  vault: Vault
  setup_intent: Stripe.SetupIntent
  session: CheckoutSessionRecord
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
  answered: IdempotentResponse
  platform: ClockAndStartingBalance
}
export type SandboxRecordKind = keyof RecordsByKind

export interface SandboxStore {
  get<K extends SandboxRecordKind>(kind: K, id: string): RecordsByKind[K] | undefined
  /** All objects of a kind, oldest first. */
  all<K extends SandboxRecordKind>(kind: K): RecordsByKind[K][]
  /** Stores an object, replacing one with the same id. Objects are never mutated. @throws Error outside of a transaction */
  put<K extends SandboxRecordKind>(kind: K, value: RecordsByKind[K]): RecordsByKind[K]
  remove(kind: SandboxRecordKind, id: string): void
  /**
   * Runs `work` and writes everything that it stores to the journal as one line. If it throws, its changes are undone, unless the error is
   * a declined card, whose records are kept. A nested call is part of the outer transaction.
   */
  transaction<T>(work: () => T): T
  close(): void
}

const DAY_MS = 86_400_000

/** Opens the sandbox's data, which is held in memory and restored from a journal. */
export function openStripeSandboxStore(file: string): SandboxStore {
  const kinds = new Map<SandboxRecordKind, Map<string, { id: string }>>()
  const recordsOfKind = (kind: SandboxRecordKind) => kinds.get(kind) ?? kinds.set(kind, new Map()).get(kind)!
  let journal = openJournal(file)
  const lines = journal.lines()
  for (const line of lines)
    for (const [kind, id, value] of JSON.parse(line) as [SandboxRecordKind, string, { id: string } | null][])
      if (value) recordsOfKind(kind).set(id, value)
      else recordsOfKind(kind).delete(id)

  const ahead = (recordsOfKind('platform').get('platform') as ClockAndStartingBalance | undefined)?.aheadMs ?? 0
  const yesterday = Date.now() + ahead - DAY_MS
  for (const { id, at } of recordsOfKind('answered').values() as Iterable<IdempotentResponse>)
    if (at < yesterday) recordsOfKind('answered').delete(id)
  const kept = [...kinds].flatMap(([kind, values]) => [...values.values()].map(v => JSON.stringify([[kind, v.id, v]])))
  if (lines.length > 1000 && lines.length > kept.length * 2) {
    journal.close()
    replaceJournal(file, kept)
    journal = openJournal(file)
  }

  let open: { changed: Map<string, [SandboxRecordKind, string]>; undo: (() => void)[] } | undefined
  const change = (kind: SandboxRecordKind, id: string, value: { id: string } | undefined) => {
    if (!open) throw new Error('A change outside of a transaction')
    const values = recordsOfKind(kind)
    const before = values.get(id)
    open.undo.push(() => (before ? values.set(id, before) : values.delete(id)))
    open.changed.set(`${kind} ${id}`, [kind, id])
    if (value) values.set(id, Object.freeze(value))
    else values.delete(id)
  }
  return {
    get: (kind, id) => recordsOfKind(kind).get(id) as never,
    all: kind => [...recordsOfKind(kind).values()] as never,
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
        if (changed.size)
          journal.append(JSON.stringify([...changed.values()].map(([kind, id]) => [kind, id, recordsOfKind(kind).get(id) ?? null])))
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
/** Returns a random id in Stripe's format, such as `cus_` followed by 24 letters and digits. */
export const newStripeId = (prefix: string, length = 24) =>
  `${prefix}_${[...randomBytes(length)].map(b => letters[b % letters.length]).join('')}`

/** The machine's time in seconds since 1970, Stripe's unit. `sandboxNowMs` is the sandbox's clock, which tests may move ahead. */
export const wallClockSeconds = () => Math.floor(Date.now() / 1000)
