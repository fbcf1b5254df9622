import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { refunded, shareOf } from '../../../modules/payments/payment.ts'
import { type Bank, bank, type Luck, type World, world } from './world.ts'

let stripe: Bank
beforeAll(async () => {
  stripe = await bank()
})
afterAll(() => stripe.stop())

/** The end of every history: everything that was due is done, and the player pays with a card that works. */
async function end(w: World) {
  w.setLuck([])
  await w.becomeReady()
  const hearAll = async () => {
    for (const notice of await w.notices()) await w.hear(notice)
    await w.quiet()
  }
  await w.quiet()
  await hearAll()
  w.pass(8 * 24)
  await w.quiet()
  if (!(await w.now()).paid) await w.pay('good', 0)
  await w.quiet()
  await hearAll()
}

/** One charge, one transfer of what is the instructor's, and the log says what the provider says. */
async function check(w: World) {
  const p = await w.now()
  expect(p.status).toBe('paid')
  const attempt = p.attempts[p.paid!.attempt]!
  expect(p.paid!.amount).toBe(p.bill!.total + attempt.tip)

  const charges = (await w.charges()).filter(c => c.paid)
  expect(charges.map(c => [c.id, c.amount, c.amount_refunded])).toEqual([[p.paid!.charge, p.paid!.amount, refunded(p)]])

  const transfers = await w.transfers()
  expect(transfers.length).toBeLessThanOrEqual(1)
  const net = transfers.reduce((all, t) => all + t.amount - t.amount_reversed, 0)
  expect(net).toBe(shareOf(p))
  if (refunded(p) < p.paid!.amount && !p.dispute) expect([transfers.length, net]).toEqual([1, 1200 + p.paid!.tip])
}

/** Once more from the beginning: not one event and not one call's effect more. */
async function checkAgain(w: World) {
  const before = JSON.stringify(await w.now())
  await w.replay()
  for (const notice of (await w.notices()).reverse()) await w.hear(notice)
  await w.quiet()
  expect(JSON.stringify(await w.now())).toBe(before)
  await check(w)
}

const card = fc.constantFrom('good' as const, 'good' as const, 'declined' as const, 'authenticate' as const)
const tip = fc.constantFrom(0, 0, 300)
type Step = (w: World, luck: Luck) => Promise<unknown>
const step: fc.Arbitrary<[string, Step]> = fc.oneof(
  { weight: 3, arbitrary: fc.tuple(card, tip).map(([c, t]): [string, Step] => [`pay ${c} ${t}`, w => w.pay(c, t)]) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(card, card)
      .map(([a, b]): [string, Step] => [`pay in two tabs ${a} ${b}`, w => Promise.all([w.pay(a, 0), w.pay(b, 300)])]),
  },
  {
    weight: 6,
    arbitrary: fc.nat(20).map((n): [string, Step] => [
      `errand ${n}`,
      async w => {
        await w.proceed()
        const due = w.due()
        if (due.length) await w.run(due[n % due.length]!)
      },
    ]),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(fc.nat(20), fc.nat(20)).map(([n, m]): [string, Step] => [
      `errands ${n} and ${m} at once`,
      async w => {
        await w.proceed()
        const due = w.due()
        if (due.length) await Promise.all([w.run(due[n % due.length]!), w.run(due[m % due.length]!)])
      },
    ]),
  },
  {
    weight: 3,
    arbitrary: fc.nat(9).map((n): [string, Step] => [
      `webhook ${n}`,
      async w => {
        const all = await w.notices()
        if (all.length) await w.hear(all[n % all.length]!)
      },
    ]),
  },
  { weight: 2, arbitrary: fc.constantFrom(1, 12, 25, 24 * 7).map((h): [string, Step] => [`${h} hours pass`, async w => w.pass(h)]) },
  { weight: 1, arbitrary: fc.boolean().map((yes): [string, Step] => [`payouts ${yes ? 'ready' : 'not ready'}`, w => w.becomeReady(yes)]) },
  { weight: 2, arbitrary: fc.constant<[string, Step]>(['authenticate', w => w.authenticate()]) },
)
const afterwards: fc.Arbitrary<[string, Step]> = fc.oneof(
  fc.constantFrom(300, 1600).map((n): [string, Step] => [`refund ${n}`, w => w.refund(n)]),
  fc.constant<[string, Step]>(['dispute', w => w.dispute()]),
  fc.constant<[string, Step]>(['dispute lost', w => w.loseDispute()]),
)
const luck = fc.array(
  fc.oneof(
    { weight: 5, arbitrary: fc.constant('fine' as const) },
    { weight: 2, arbitrary: fc.constantFrom('crash before' as const, 'crash after' as const, 'no answer' as const) },
  ),
  { maxLength: 4 },
)
const history = (of: fc.Arbitrary<[string, Step]>, maxLength: number) =>
  fc.array(
    fc.tuple(of, luck).map(([[name, run], bad]) => ({ name, run, bad, toString: () => `${name} [${bad}]` })),
    { maxLength },
  )

async function play(w: World, steps: { name: string; run: Step; bad: Luck }[]) {
  for (const { run, bad } of steps) {
    w.setLuck([...bad])
    await run(w, bad)
  }
}

const RUNS = Number(process.env.HISTORIES ?? 60)
test('whatever is doubled, reordered, lost or killed, there is one charge and one transfer', { timeout: 600_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(history(step, 14), async steps => {
      const w = await world(stripe)
      await play(w, steps)
      await end(w)
      await check(w)
      await checkAgain(w)
    }),
    { numRuns: RUNS },
  )
})

test('refunds and chargebacks take back what they must, once', { timeout: 600_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(history(fc.oneof({ weight: 1, arbitrary: step }, { weight: 2, arbitrary: afterwards }), 12), async steps => {
      const w = await world(stripe)
      await w.pay('good', 300)
      await play(w, steps)
      await end(w)
      await check(w)
      await checkAgain(w)
    }),
    { numRuns: RUNS / 2 },
  )
})
