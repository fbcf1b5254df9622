import type postgres from 'postgres'
import { derivedId, handle } from '../kernel/decider.ts'
import type { Errand } from '../kernel/process.ts'
import { saveCard } from './cards.ts'
import { succeeded, type Till } from './charge.ts'
import { bookPackage } from './packages.ts'
import { payment } from './payment.ts'
import { readAccount } from './payouts.ts'
import type { Notice } from './stripe/webhooks.ts'

/** Webhooks that were taken, by the provider's id, so that each is heard once. */
export const schema = `
create table if not exists stripe_notices (
  id text primary key,
  type text not null,
  received timestamptz not null
);
`

/** What is kept of a webhook: where to look. Its content is never trusted, the object is fetched again. */
export type Heard = Pick<Notice, 'type'> & { object: string }

type Post = (db: postgres.ISql, errands: Errand[]) => Promise<unknown>

/** Notes a webhook and what it asks for, in one transaction; the same again is nothing new. */
export async function note(sql: postgres.Sql, post: Post, notice: Notice, now: Date): Promise<void> {
  await sql.begin(async tx => {
    const rows = await tx`insert into stripe_notices (id, type, received) values (${notice.id}, ${notice.type}, ${now})
      on conflict do nothing returning id`
    if (!rows.length || !known.has(notice.type)) return
    const payload = { type: notice.type, object: notice.object.id } satisfies Heard
    await post(tx, [{ id: derivedId('stripe', notice.id), kind: 'stripe.notice', payload }])
  })
}

type Hear = (till: Till, object: string, whose: { instructorOf(account: string): Promise<string | undefined> }) => Promise<unknown>

async function charged(till: Till, charge: string) {
  const found = await till.gateway.fetchCharge(charge)
  return found.payment ? { ...found, payment: found.payment } : null
}

const paidIntent: Hear = async (till, intent) => {
  const now = await till.gateway.paid(intent)
  if (now.outcome !== 'succeeded') return
  const found = await charged(till, now.charge)
  if (found?.attempt) await succeeded(till, found.payment, found.attempt, now)
}
const refunded: Hear = async (till, charge) => {
  const found = await charged(till, charge)
  if (!found) return
  const given = { charge, amount: found.refunded }
  const meta = { command: derivedId(charge, 'refunded', found.refunded), actor: 'system' }
  await handle(till.store, payment, found.payment, 'refundedOutside', given, meta)
}
const disputed: Hear = async (till, id) => {
  const { charge, amount, status } = await till.gateway.fetchDispute(id)
  const found = await charged(till, charge)
  if (!found) return
  const meta = { command: derivedId(id, 'dispute', status), actor: 'system' }
  await handle(till.store, payment, found.payment, 'dispute', { dispute: id, amount, status }, meta)
}
const pageDone: Hear = async (till, session) => (await saveCard(till, session)) ?? bookPackage(till, session)
const accountChanged: Hear = async (till, account, whose) => {
  const instructor = await whose.instructorOf(account)
  if (instructor) await readAccount(till.store, till.gateway, instructor)
}

const known = new Map<string, Hear>([
  ['payment_intent.succeeded', paidIntent],
  ['charge.refunded', refunded],
  ['charge.dispute.created', disputed],
  ['charge.dispute.updated', disputed],
  ['charge.dispute.closed', disputed],
  ['checkout.session.completed', pageDone],
  ['checkout.session.async_payment_succeeded', pageDone],
  ['account.updated', accountChanged],
])

/** Does what a webhook is about, from what the provider says now. */
export const hear = (till: Till, { type, object }: Heard, whose: Parameters<Hear>[2]) =>
  (known.get(type)?.(till, object, whose) ?? Promise.resolve()) as Promise<void>
