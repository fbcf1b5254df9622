import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { resumeStuckPayment } from '../../../modules/payments/resume-charge-refunds-and-transfer.ts'
import { type PaymentSimulation, startPaymentSimulation } from './payment-simulation-harness.ts'
import { type StripeSandboxWithoutWebhooks, startStripeSandboxWithoutWebhooks } from './stripe-sandbox-without-webhooks.ts'

let stripe: StripeSandboxWithoutWebhooks
let w: PaymentSimulation
beforeAll(async () => {
  stripe = await startStripeSandboxWithoutWebhooks()
})
beforeEach(async () => {
  w = await startPaymentSimulation(stripe)
})
afterAll(() => stripe.stop())

const types = async () => (await w.store.read(`payment-${w.id}`)).map(e => e.type)
const amounts = async () => (await w.charges()).filter(c => c.paid).map(c => c.amount - c.amount_refunded)
const netTransfers = async () => (await w.transfers()).map(t => t.amount - t.amount_reversed)
async function perform(kind: string) {
  await w.runProcesses()
  for (const errand of w.errands(kind)) await w.run(errand)
}
const deliverAllWebhooks = async () => {
  for (const notice of await w.pendingWebhooks()) await w.deliverWebhook(notice)
}

describe('a charge', () => {
  test('is made once even if the process ends right afterwards', async () => {
    w.setCallOutcomes(['fine', 'crash after'])
    await w.pay('good', 300)
    expect(await types()).toEqual(['PaymentOpened', 'PaymentAttempted'])
    await w.advanceClock(1)
    await w.waitUntilIdle()
    expect(await types()).toContain('PaymentSucceeded')
    expect(await amounts()).toEqual([1900])
  })
  test('is found again after a lost answer, even with an expired idempotency key', async () => {
    w.setCallOutcomes(['fine', 'no answer'])
    await w.pay('good', 0)
    await w.advanceClock(25)
    await w.waitUntilIdle()
    expect((await w.now()).status).toBe('paid')
    expect(await amounts()).toEqual([1600])
  })
  test('is given up as failed after 23 hours, and may be paid again', async () => {
    w.setCallOutcomes(['fine', 'crash before'])
    await w.pay('good', 0)
    await w.advanceClock(23.5)
    await w.waitUntilIdle()
    expect(await w.now()).toMatchObject({ status: 'failed', failure: 'processing-error' })
    expect(await amounts()).toEqual([])
    await w.pay('good', 0)
    expect(await amounts()).toEqual([1600])
  })
  test('may be reported by the webhook before the reply', async () => {
    w.runDuringNextCall(deliverAllWebhooks)
    await w.pay('good', 0)
    expect((await types()).filter(t => t === 'PaymentSucceeded')).toHaveLength(1)
  })
  test('is made once if the player pays in two tabs', async () => {
    await Promise.all([w.pay('good', 0), w.pay('good', 300)])
    await w.waitUntilIdle()
    expect(await amounts()).toHaveLength(1)
  })
  test('is made once if the player pays at the time of the automatic charge', async () => {
    await w.advanceClock(24 * 7)
    const [collect] = w.errands('payment.collect')
    await Promise.all([w.pay('good', 300), w.run(collect!)])
    await w.waitUntilIdle()
    expect(await amounts()).toHaveLength(1)
  })
  test('is made automatically after seven days, and not earlier', async () => {
    await w.advanceClock(24 * 7 - 1)
    await w.waitUntilIdle()
    expect(await amounts()).toEqual([])
    await w.advanceClock(1)
    await w.waitUntilIdle()
    expect(await amounts()).toEqual([1600])
    expect((await w.now()).last).toMatchObject({ by: 'schedule', tip: 0 })
  })
  test('waits for a card if there is none', async () => {
    await w.removeCards()
    await w.advanceClock(24 * 8)
    await w.waitUntilIdle()
    expect((await w.now()).status).toBe('due')
  })
  test('states why it failed, and another card can pay', async () => {
    await w.pay('declined', 0)
    expect(await w.now()).toMatchObject({ status: 'failed', failure: 'declined' })
    await w.pay('good', 0)
    expect((await w.now()).status).toBe('paid')
  })
  test('that needs confirmation by the bank is settled without its webhook', async () => {
    await w.pay('authenticate', 300)
    expect((await w.now()).failure).toBe('authentication-needed')
    await w.authenticate()
    await w.advanceClock(1)
    await w.waitUntilIdle()
    expect(await w.now()).toMatchObject({ status: 'paid', paid: { amount: 1900, tip: 300 } })
  })
  test('that needs authentication is abandoned before another card is charged', async () => {
    await w.pay('authenticate', 0)
    await w.pay('good', 0)
    expect(await types()).toContain('AttemptAbandoned')
    await w.authenticate()
    expect(await amounts()).toEqual([1600])
  })
  test('that the bank confirmed counts, even if the player then pays with another card', async () => {
    await w.pay('authenticate', 0)
    await w.authenticate()
    await w.pay('good', 300)
    expect(await w.now()).toMatchObject({ status: 'paid', paid: { tip: 0 } })
    expect(await amounts()).toEqual([1600])
  })
  /** Pays twice: the first response is lost and a query finds no charge, so the player pays again. */
  async function payTwice() {
    w.setCallOutcomes(['fine', 'no answer'])
    await w.pay('good', 0)
    await w.advanceClock(25)
    w.hideCharges(true)
    await w.waitUntilIdle()
    w.hideCharges(false)
    await w.pay('good', 0)
  }
  test('that succeeded in addition to another one is refunded', async () => {
    await payTwice()
    expect(await amounts()).toHaveLength(2)
    await deliverAllWebhooks()
    await w.waitUntilIdle()
    expect((await amounts()).sort()).toEqual([0, 1600])
    expect(await types()).toEqual(expect.arrayContaining(['ChargeDoubled', 'DoubledChargeReturned']))
  })
  test('that is disputed does not affect the share if it was a second charge', async () => {
    await w.setPayoutAccountReady()
    await payTwice()
    await deliverAllWebhooks()
    await perform('payment.share')
    await w.dispute('second')
    await w.endDispute('lost', 'second')
    await deliverAllWebhooks()
    await perform('payment.share')
    expect([await types(), await netTransfers()]).toEqual([expect.arrayContaining(['ChargeDoubled']), [1200]])
    // The dispute was about the duplicate, so the charge that pays the bill can still be refunded.
    await w.refund(500)
    await perform('payment.refund')
    expect((await amounts()).sort()).toEqual([1100, 1600])
  })
})

describe('a payment whose errand has failed permanently', () => {
  test('is resumed at its next step: charge, then share, then refund', async () => {
    await w.setPayoutAccountReady()
    w.setCallOutcomes(['fine', 'crash after'])
    await w.pay('good', 0)
    await w.advanceClock(48)
    await resumeStuckPayment(w.deps, w.id)
    expect([await amounts(), await netTransfers()]).toEqual([[1600], [1200]])
    await w.refund(500)
    await resumeStuckPayment(w.deps, w.id)
    await resumeStuckPayment(w.deps, w.id)
    expect([await amounts(), await netTransfers()]).toEqual([[1100], [1200]])
  })
  test('is resumed with the same number of log reads, however many refunds it has', async () => {
    await w.setPayoutAccountReady()
    await w.pay('good', 0)
    const { read } = w.deps.store
    const reads = async () => {
      let many = 0
      w.deps.store.read = stream => {
        if (stream === `payment-${w.id}`) many++
        return read(stream)
      }
      await resumeStuckPayment(w.deps, w.id).finally(() => {
        w.deps.store.read = read
      })
      return many
    }
    await reads()
    const before = await reads()
    for (const amount of [300, 200, 100]) {
      await w.refund(amount)
      await resumeStuckPayment(w.deps, w.id)
    }
    expect(await reads()).toBe(before)
    expect(await amounts()).toEqual([1000])
  })
})
