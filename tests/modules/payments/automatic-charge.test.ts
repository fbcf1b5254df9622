import { describe, expect, test } from 'vitest'
import { handleCommand } from '../../../modules/kernel/decider.ts'
import { memoryStore } from '../../../modules/kernel/stores/memory.ts'
import { paymentDecider } from '../../../modules/payments/payment.ts'
import { chargeOverdueBill, type PaymentDependencies } from '../../../modules/payments/perform-charge-attempts.ts'
import { walletDecider } from '../../../modules/payments/wallet.ts'

describe('the automatic charge after seven days', () => {
  const at = '2026-03-08T12:00:00.000Z'
  const by = (command: string) => ({ command, actor: 'system' })
  const parties = { folder: 'f1', player: 'ana', instructor: 'casey' }
  const bill = { ...parties, items: [], total: 1550, share: 1200, opened: at, due: at }
  /** Creates a bill and a card, and starts the automatic charge; `meanwhile` runs after the charge has read the payment. */
  async function owing(meanwhile: (pay: (id: string) => Promise<unknown>, win: (id: string) => Promise<unknown>) => Promise<unknown>) {
    const store = memoryStore()
    const card = { card: 'pm_1', brand: 'visa', last4: '4242', expMonth: 1, expYear: 2040 }
    await handleCommand(store, walletDecider, 'ana', 'begin', { customer: 'cus_1' }, by('begin'))
    await handleCommand(store, walletDecider, 'ana', 'save', card, by('save'))
    await handleCommand(store, paymentDecider, 'p1', 'open', bill, by('open'))
    const pay = (id: string) => {
      const chosen = {
        id,
        customer: 'cus_1',
        card: { id: 'pm_1', brand: 'visa', last4: '4242' },
        tip: 0,
        by: 'player' as const,
        at,
        total: 1550,
      }
      return handleCommand(store, paymentDecider, 'p1', 'attempt', chosen, by(id))
    }
    const win = (id: string) =>
      handleCommand(
        store,
        paymentDecider,
        'p1',
        'succeed',
        { attempt: id, intent: 'pi_1', charge: 'ch_1', amount: 1550, at },
        by(`${id} won`),
      )
    const charged: string[] = []
    const gateway = { charge: async (o: { attempt: string }) => void charged.push(o.attempt), findCharge: async () => null }
    const read: typeof store.read = async stream => {
      if (stream === 'wallet-ana') await meanwhile(pay, win)
      return store.read(stream)
    }
    const deps = { store: { ...store, read }, gateway, clock: () => new Date(at) } as unknown as PaymentDependencies
    return { collecting: chargeOverdueBill(deps, 'p1', async player => player), charged }
  }
  test('is retried later if the player is paying at that moment', async () => {
    const { collecting, charged } = await owing(pay => pay('a1'))
    await expect(collecting).rejects.toMatchObject({ code: 'in-progress' })
    expect(charged).toEqual([])
  })
  test('is not made if the player has just paid', async () => {
    const { collecting, charged } = await owing(async (pay, win) => {
      await pay('a1')
      await win('a1')
    })
    await collecting
    expect(charged).toEqual([])
  })
})
