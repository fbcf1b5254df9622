import type { FolderEvent } from '../folders/folder.ts'
import { derivedId, fold, handle } from '../kernel/decider.ts'
import { type Errand, process } from '../kernel/process.ts'
import { type EventStore, idOf } from '../kernel/store.ts'
import type { PaymentEvent } from '../payments/payment.ts'
import type { PackageBought } from '../payments/purchase.ts'
import { type PerksEvent, perks } from './perks.ts'
import { REFERRAL_POINTS, RESERVATION_MINUTES } from './policy.ts'

const errand = (cause: { id: string }, kind: string, payload: Errand['payload'], due?: string): Errand => ({
  id: derivedId(cause.id, kind),
  kind,
  payload,
  ...(due && { due }),
})

/** Purchases become credits, a friend's first payment becomes points, and what an assignment did not need comes back. */
export const rewarding = process<FolderEvent | PaymentEvent | PackageBought | PerksEvent>({
  name: 'rewarding',
  on: {
    PackageBought: e => {
      const { player, folders } = e.data
      return errand(e, 'rewards.credit', { player, purchase: idOf(e.stream), folders })
    },
    PaymentSucceeded: e => errand(e, 'rewards.earn', { player: e.data.player, payment: idOf(e.stream) }),
    AssignmentWithdrawn: e => errand(e, 'rewards.return', { folder: idOf(e.stream), assignment: e.data.assignment }),
    AssignmentDeclined: e => errand(e, 'rewards.return', { folder: idOf(e.stream), assignment: e.data.assignment }),
    TermsReserved: e => {
      const { folder, assignment, player } = e.data
      const due = new Date(Date.parse(e.at) + RESERVATION_MINUTES * 60_000).toISOString()
      return errand(e, 'rewards.check', { folder, assignment, player }, due)
    },
  },
})

/** The player who assigned; undefined where the folder was never assigned under this id. */
async function assignedBy(store: EventStore, folder: string, assignment: string): Promise<string | undefined> {
  const events = (await store.read(`folder-${folder}`)) as unknown as FolderEvent[]
  for (const e of events) if (e.type === 'FolderAssigned' && e.data.assignment === assignment) return e.data.player
  return undefined
}

const giveBack = (store: EventStore, player: string, assignment: string, why: string) =>
  handle(store, perks, player, 'giveBack', { assignment }, { command: derivedId(assignment, 'give back', why), actor: 'system' })

/** Books a purchase; the answer is what the player has now. */
export async function credit(store: EventStore, p: { player: string; purchase: string; folders: number }): Promise<number> {
  const { player, ...bought } = p
  await handle(store, perks, player, 'credit', bought, { command: derivedId(p.purchase, 'credit'), actor: 'system' })
  return fold(perks, await store.read(`perks-${player}`)).credits
}

/** What the errands of `rewarding` do; twice is like once. */
export const rewardErrands = (store: EventStore) => ({
  'rewards.credit': async (p: { player: string; purchase: string; folders: number }) => {
    await credit(store, p)
  },
  'rewards.earn': async (p: { player: string; payment: string }) => {
    const used = fold(perks, await store.read(`perks-${p.player}`)).reserved[p.payment]
    if (!used?.terms.referral || !used.referrer) return
    const earned = { payment: p.payment, friend: p.player, points: REFERRAL_POINTS }
    await handle(store, perks, used.referrer, 'earn', earned, { command: derivedId(p.payment, 'earn'), actor: 'system' })
  },
  'rewards.return': async (p: { folder: string; assignment: string }) => {
    const player = await assignedBy(store, p.folder, p.assignment)
    if (player) await giveBack(store, player, p.assignment, 'ended')
  },
  'rewards.check': async (p: { folder: string; assignment: string; player: string }) => {
    if (!(await assignedBy(store, p.folder, p.assignment))) await giveBack(store, p.player, p.assignment, 'never assigned')
  },
})
