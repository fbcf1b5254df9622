import { describe, expect, test } from 'vitest'
import { derivedId, handleCommand, loadState } from '../../../modules/kernel/decider.ts'
import { payoutAccountAndDebtDecider } from '../../../modules/payments/payout-account-and-debt-decider.ts'
import { refreshPayoutAccount } from '../../../modules/payments/refresh-payout-account.ts'
import {
  blockLastCardRemovalUntil,
  findOrCreateCustomer,
  saveCardFromHostedPage,
  unblockLastCardRemoval,
} from '../../../modules/payments/stripe-customer-and-saved-cards.ts'
import { walletDecider } from '../../../modules/payments/wallet.ts'
import { setUpPaymentTestbed } from './payment-testbed.ts'

const { context } = setUpPaymentTestbed()
const storedEvents = async (stream: string) =>
  (await context.store.read(stream)).map(e => ({ type: e.type, ...(e.data as object), by: e.meta.actor }))
const visa = { brand: 'visa', last4: '4242', expMonth: 4, expYear: 2030 }

describe("the provider's customer of a player", () => {
  test('is created once under the same key, and stored', async () => {
    context.answers = { customer: ['cus_1', 'cus_2'] }
    expect([await findOrCreateCustomer(context.deps, 'ana'), await findOrCreateCustomer(context.deps, 'ana')]).toEqual(['cus_1', 'cus_1'])
    expect(context.calls).toEqual([['customer', 'ana', derivedId('ana', 'customer')]])
    expect(await storedEvents('wallet-ana')).toEqual([{ type: 'CustomerMade', customer: 'cus_1', by: 'ana' }])
  })
  test('is the first one if two are created at the same moment', async () => {
    context.answers = { customer: ['cus_1', 'cus_2'] }
    expect(await Promise.all([findOrCreateCustomer(context.deps, 'ana'), findOrCreateCustomer(context.deps, 'ana')])).toEqual([
      'cus_1',
      'cus_1',
    ])
  })
})

describe('a card saved on the hosted page', () => {
  test("is added to the player's wallet once", async () => {
    context.answers = { fetchSetupCard: [{ payer: 'ana', customer: 'cus_1', method: { method: 'pm_1', ...visa } }] }
    const saved = { payer: 'ana', card: { card: 'pm_1', ...visa } }
    expect([await saveCardFromHostedPage(context.deps, 'cs_1'), await saveCardFromHostedPage(context.deps, 'cs_1')]).toEqual([saved, saved])
    expect(context.calls[0]).toEqual(['fetchSetupCard', 'cs_1'])
    expect(await storedEvents('wallet-ana')).toEqual([{ type: 'CardSaved', card: 'pm_1', ...visa, by: 'ana' }])
    await handleCommand(
      context.store,
      walletDecider,
      'ana',
      'remove',
      { card: 'pm_1', needed: false, now: '' },
      { command: 'remove', actor: 'ana' },
    )
    // A late webhook for the same page does not bring back a removed card.
    await saveCardFromHostedPage(context.deps, 'cs_1')
    expect((await loadState(context.store, walletDecider, 'ana')).cards).toEqual([])
  })
  test('does not exist before the player has used the page', async () => {
    context.answers = { fetchSetupCard: [null] }
    expect([await saveCardFromHostedPage(context.deps, 'cs_1'), await storedEvents('wallet-ana')]).toEqual([null, []])
  })
})

test('locking the removal of a card again extends the lock; the system unlocks it', async () => {
  await handleCommand(context.store, walletDecider, 'ana', 'save', { card: 'pm_1', ...visa }, { command: 'save', actor: 'ana' })
  for (const until of ['2026-03-01T12:10:00.000Z', '2026-03-01T12:20:00.000Z'])
    await blockLastCardRemovalUntil(context.store, 'ana', 'a1', until)
  await unblockLastCardRemoval(context.store, 'ana', 'a1')
  await blockLastCardRemovalUntil(context.store, 'ana', 'a1', '2026-03-01T12:30:00.000Z')
  await unblockLastCardRemoval(context.store, 'ana', 'a1')
  const of = { assignment: 'a1' }
  expect((await storedEvents('wallet-ana')).slice(1)).toEqual([
    { type: 'CardHeld', ...of, until: '2026-03-01T12:10:00.000Z', by: 'ana' },
    { type: 'CardHeld', ...of, until: '2026-03-01T12:20:00.000Z', by: 'ana' },
    { type: 'CardReleased', ...of, by: 'system' },
    { type: 'CardHeld', ...of, until: '2026-03-01T12:30:00.000Z', by: 'ana' },
    { type: 'CardReleased', ...of, by: 'system' },
  ])
})

test("a payout account follows the provider's status, with an event for each change", async () => {
  const status = (ready: boolean) => ({ takesTransfers: ready, requirements: ready ? [] : ['individual.dob'] })
  context.answers = { accountStatus: [status(false), status(true), status(true), status(false)] }
  expect(await refreshPayoutAccount(context.store, context.deps.gateway, 'casey')).toMatchObject({ account: null, ready: false })
  expect(context.calls).toEqual([])
  await handleCommand(
    context.store,
    payoutAccountAndDebtDecider,
    'casey',
    'open',
    { account: 'acct_1' },
    { command: 'open', actor: 'casey' },
  )
  const read = () => refreshPayoutAccount(context.store, context.deps.gateway, 'casey')
  expect([await read(), await read(), await read(), await read()].map(({ ready }) => ready)).toEqual([false, true, true, false])
  expect(context.calls[0]).toEqual(['accountStatus', 'acct_1'])
  const changed = (ready: boolean) => ({
    type: 'PayoutAccountChanged',
    ready,
    submitted: ready,
    requirements: ready ? [] : ['individual.dob'],
    released: [],
    by: 'system',
  })
  expect((await storedEvents('payout-casey')).slice(1)).toEqual([changed(false), changed(true), changed(false)])
})
