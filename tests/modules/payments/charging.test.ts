import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { resumePayment } from '../../../modules/payments/resume-payment.ts'
import { type StripeBank, startPaymentWorld, startStripeBank, type World } from './payment-world.ts'

let stripe: StripeBank
let w: World
beforeAll(async () => {
  stripe = await startStripeBank()
})
beforeEach(async () => {
  w = await startPaymentWorld(stripe)
})
afterAll(() => stripe.stop())

const types = async () => (await w.store.read(`payment-${w.id}`)).map(e => e.type)
const amounts = async () => (await w.charges()).filter(c => c.paid).map(c => c.amount - c.amount_refunded)
const passedOn = async () => (await w.transfers()).map(t => t.amount - t.amount_reversed)
async function perform(kind: string) {
  await w.proceed()
  for (const errand of w.errands(kind)) await w.run(errand)
}
const hearAll = async () => {
  for (const notice of await w.notices()) await w.hear(notice)
}

describe('a charge', () => {
  test('is made once when the process ends right after it', async () => {
    w.setLuck(['fine', 'crash after'])
    await w.pay('good', 300)
    expect(await types()).toEqual(['PaymentOpened', 'PaymentAttempted'])
    await w.pass(1)
    await w.quiet()
    expect(await types()).toContain('PaymentSucceeded')
    expect(await amounts()).toEqual([1900])
  })
  test('is found again when nobody answered and its key is forgotten', async () => {
    w.setLuck(['fine', 'no answer'])
    await w.pay('good', 0)
    await w.pass(25)
    await w.quiet()
    expect((await w.now()).status).toBe('paid')
    expect(await amounts()).toEqual([1600])
  })
  test('is not tried anymore after 23 hours: it failed, and may be paid anew', async () => {
    w.setLuck(['fine', 'crash before'])
    await w.pay('good', 0)
    await w.pass(23.5)
    await w.quiet()
    expect(await w.now()).toMatchObject({ status: 'failed', failure: 'processing-error' })
    expect(await amounts()).toEqual([])
    await w.pay('good', 0)
    expect(await amounts()).toEqual([1600])
  })
  test('is heard of by the webhook before the reply', async () => {
    w.meanwhile(hearAll)
    await w.pay('good', 0)
    expect((await types()).filter(t => t === 'PaymentSucceeded')).toHaveLength(1)
  })
  test('is made once from two tabs', async () => {
    await Promise.all([w.pay('good', 0), w.pay('good', 300)])
    await w.quiet()
    expect(await amounts()).toHaveLength(1)
  })
  test('is made once when the day comes as the player pays', async () => {
    await w.pass(24 * 7)
    const [collect] = w.errands('payment.collect')
    await Promise.all([w.pay('good', 300), w.run(collect!)])
    await w.quiet()
    expect(await amounts()).toHaveLength(1)
  })
  test('is made by itself after seven days, not before', async () => {
    await w.pass(24 * 7 - 1)
    await w.quiet()
    expect(await amounts()).toEqual([])
    await w.pass(1)
    await w.quiet()
    expect(await amounts()).toEqual([1600])
    expect((await w.now()).last).toMatchObject({ by: 'schedule', tip: 0 })
  })
  test('waits for a card where there is none', async () => {
    await w.removeCards()
    await w.pass(24 * 8)
    await w.quiet()
    expect((await w.now()).status).toBe('due')
  })
  test('says why it failed; another card may pay', async () => {
    await w.pay('declined', 0)
    expect(await w.now()).toMatchObject({ status: 'failed', failure: 'declined' })
    await w.pay('good', 0)
    expect((await w.now()).status).toBe('paid')
  })
  test('that the bank wants confirmed is noticed without its webhook', async () => {
    await w.pay('authenticate', 300)
    expect((await w.now()).failure).toBe('authentication-needed')
    await w.authenticate()
    await w.pass(1)
    await w.quiet()
    expect(await w.now()).toMatchObject({ status: 'paid', paid: { amount: 1900, tip: 300 } })
  })
  test('that the bank wants confirmed is out of the world before another card pays', async () => {
    await w.pay('authenticate', 0)
    await w.pay('good', 0)
    expect(await types()).toContain('AttemptAbandoned')
    await w.authenticate()
    expect(await amounts()).toEqual([1600])
  })
  test('that was confirmed at the bank counts when another card was about to pay', async () => {
    await w.pay('authenticate', 0)
    await w.authenticate()
    await w.pay('good', 300)
    expect(await w.now()).toMatchObject({ status: 'paid', paid: { tip: 0 } })
    expect(await amounts()).toEqual([1600])
  })
  /** The first response was lost and the provider cannot be queried, so the player pays a second time. */
  async function payTwice() {
    w.setLuck(['fine', 'no answer'])
    await w.pay('good', 0)
    await w.pass(25)
    w.goBlind(true)
    await w.quiet()
    w.goBlind(false)
    await w.pay('good', 0)
  }
  test('that is discovered after another one is refunded', async () => {
    await payTwice()
    expect(await amounts()).toHaveLength(2)
    await hearAll()
    await w.quiet()
    expect((await amounts()).sort()).toEqual([0, 1600])
    expect(await types()).toEqual(expect.arrayContaining(['ChargeDoubled', 'DoubledChargeReturned']))
  })
  test("that is disputed as the second one takes nothing from the first one's instructor", async () => {
    await w.becomeReady()
    await payTwice()
    await hearAll()
    await perform('payment.share')
    await w.dispute('second')
    await w.endDispute('lost', 'second')
    await hearAll()
    await perform('payment.share')
    expect([await types(), await passedOn()]).toEqual([expect.arrayContaining(['ChargeDoubled']), [1200]])
    // Of the first, the bank has decided nothing.
    await w.refund(500)
    await perform('payment.refund')
    expect((await amounts()).sort()).toEqual([1100, 1600])
  })
})

describe('an errand that was given up', () => {
  test('is taken up where it stands: the charge, then the share, then a refund', async () => {
    await w.becomeReady()
    w.setLuck(['fine', 'crash after'])
    await w.pay('good', 0)
    await w.pass(48)
    await resumePayment(w.till, w.id)
    expect([await amounts(), await passedOn()]).toEqual([[1600], [1200]])
    await w.refund(500)
    await resumePayment(w.till, w.id)
    await resumePayment(w.till, w.id)
    expect([await amounts(), await passedOn()]).toEqual([[1100], [1200]])
  })
  test('reads the payment as often as ever, however many refunds it has', async () => {
    await w.becomeReady()
    await w.pay('good', 0)
    const { read } = w.till.store
    const reads = async () => {
      let many = 0
      w.till.store.read = stream => {
        if (stream === `payment-${w.id}`) many++
        return read(stream)
      }
      await resumePayment(w.till, w.id).finally(() => {
        w.till.store.read = read
      })
      return many
    }
    await reads()
    const before = await reads()
    for (const amount of [300, 200, 100]) {
      await w.refund(amount)
      await resumePayment(w.till, w.id)
    }
    expect(await reads()).toBe(before)
    expect(await amounts()).toEqual([1000])
  })
})

describe("the instructor's share", () => {
  const paid = async () => {
    await w.pay('good', 300)
    await w.quiet()
  }
  test('waits until the account is ready, then goes out with the whole tip', async () => {
    await paid()
    expect(await passedOn()).toEqual([])
    await w.becomeReady()
    await w.quiet()
    expect(await passedOn()).toEqual([1500])
  })
  test('goes out once when the process ends right after it, and the key is forgotten', async () => {
    await w.becomeReady()
    await w.pay('good', 0)
    w.setLuck(['crash after'])
    await perform('payment.share')
    expect(await types()).not.toContain('TransferMade')
    await w.pass(25)
    await w.quiet()
    expect(await passedOn()).toEqual([1200])
    expect(await types()).toContain('TransferMade')
  })
  test('comes back when everything was refunded while it was on its way', async () => {
    await w.becomeReady()
    await w.pay('good', 300)
    w.meanwhile(async () => {
      await w.refund(1900)
      await perform('payment.refund')
      await perform('payment.share')
    })
    await perform('payment.share')
    await w.quiet()
    expect(await passedOn()).toEqual([0])
    expect(await amounts()).toEqual([0])
  })
  test("comes back if its transfer's answer was lost and everything was refunded", async () => {
    await w.becomeReady()
    await w.pay('good', 300)
    w.setLuck(['no answer'])
    await perform('payment.share')
    expect(await types()).not.toContain('TransferMade')
    await w.refund(1900)
    await w.quiet()
    expect(await passedOn()).toEqual([0])
    expect(await types()).toContain('TransferReversed')
  })
  test('goes out anew when the refund that took it back fails, and once, however late', async () => {
    await w.becomeReady()
    await paid()
    for (const given of [1900, 1900]) {
      await w.refund(given)
      await w.quiet()
      await w.settleRefund(0, 'failed')
      await hearAll()
      await w.quiet()
    }
    expect((await passedOn()).sort()).toEqual([0, 0, 1500])
    expect(await amounts()).toEqual([1900])
  })
  test('goes out anew when the refund fails while it is being taken back', async () => {
    await w.becomeReady()
    await paid()
    await w.slowBanks(true)
    await w.refund(1900)
    await perform('payment.refund')
    w.meanwhile(async () => {
      await w.settleRefund(0, 'failed')
      await hearAll()
    })
    await w.quiet()
    await w.slowBanks(false)
    expect((await passedOn()).sort()).toEqual([0, 1500])
  })
  test('comes back only after a slow bank took the refund, with the amount as asked', async () => {
    await w.becomeReady()
    await w.slowBanks(true)
    await w.pay('good', 300)
    await w.refund(1900)
    await w.quiet()
    await w.slowBanks(false)
    expect(await types()).not.toContain('PaymentRefunded')
    await w.settleAll('succeeded')
    await hearAll()
    expect((await types()).filter(t => t === 'PaymentRefunded')).toHaveLength(1)
  })
  test('that was refused is tried under another key, out of the same charge first', async () => {
    await w.becomeReady()
    await w.pay('good', 300)
    await w.refuse()
    await perform('payment.share')
    await w.quiet()
    expect((await w.transfers()).map(t => [t.amount, t.source_transaction])).toEqual([[1500, null]])
    expect(await w.now()).toMatchObject({ refusals: 1 })
  })
  test('is owed where the account is empty, and nets the next one', async () => {
    await w.becomeReady()
    await paid()
    await w.pass(49)
    await w.refund(1900)
    await w.quiet()
    expect(await passedOn()).toEqual([1500])
    expect(await w.debts()).toEqual({ all: 1500, elsewhere: 0 })
    await w.settleRefund(0, 'failed')
    await hearAll()
    await w.quiet()
    // All of it but the cent that always moves.
    expect((await passedOn()).sort()).toEqual([1, 1500])
    expect(await w.debts()).toEqual({ all: 1, elsewhere: 0 })
  })
  test('comes out of its own charge, up to what is left of it, else from the balance', async () => {
    await w.becomeReady()
    await paid()
    expect((await w.transfers()).map(t => t.source_transaction)).toEqual([(await w.now()).paid!.charge])
    const other = await startPaymentWorld(stripe)
    await other.pay('good', 0)
    await other.refund(500)
    await other.refund(300)
    await other.becomeReady()
    await other.quiet()
    expect((await other.transfers()).map(t => [t.amount, t.source_transaction])).toEqual([[1200, null]])
  })
  test('of a folder out of a package comes out of the charge of the package', async () => {
    const other = await startPaymentWorld(stripe, 'package')
    await other.becomeReady()
    await other.pay('good', 300)
    await other.quiet()
    expect((await other.transfers()).map(t => [t.amount, t.source_transaction])).toEqual([[1500, other.bought()!.charge]])
  })
  test('comes back once when the process ends right after taking it back', async () => {
    await w.becomeReady()
    await paid()
    await w.refund(1900)
    await w.proceed()
    w.setLuck(['crash after'])
    await w.run(w.errands('payment.share').at(-1)!)
    expect(await types()).not.toContain('TransferReversed')
    await w.pass(25)
    await w.quiet()
    expect(await passedOn()).toEqual([0])
    expect((await types()).filter(t => t === 'TransferReversed')).toHaveLength(1)
  })
  test('stays where a part is refunded, once, though nobody answered', async () => {
    await w.becomeReady()
    await paid()
    await w.refund(500)
    w.setLuck(['no answer'])
    await perform('payment.refund')
    await w.pass(25)
    await w.quiet()
    expect(await amounts()).toEqual([1400])
    expect(await passedOn()).toEqual([1500])
  })
  test('is released when the bank was wrong, and a refund is possible again', async () => {
    await w.pay('good', 0)
    await w.dispute()
    await hearAll()
    await w.becomeReady()
    await w.quiet()
    expect(await passedOn()).toEqual([])
    await w.endDispute('won')
    await hearAll()
    await w.quiet()
    expect(await passedOn()).toEqual([1200])
    await w.refund(500)
    await w.quiet()
    expect(await amounts()).toEqual([1100])
  })
  test('is frozen by a chargeback and released by nobody but the bank', async () => {
    await w.pay('good', 0)
    await w.dispute()
    await hearAll()
    await w.becomeReady()
    await w.quiet()
    expect(await passedOn()).toEqual([])
    await w.endDispute('lost')
    await hearAll()
    await w.quiet()
    expect(await passedOn()).toEqual([])
    expect(await types()).toEqual(expect.arrayContaining(['ChargebackOpened', 'ChargebackClosed']))
  })
})
