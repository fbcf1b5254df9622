import { randomUUID } from 'node:crypto'
import { request } from 'node:http'
import Stripe from 'stripe'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type PaymentGateway, stripeGateway } from '../../modules/payments/gateway.ts'
import { testCardDetails } from '../support/test-card-details.ts'
import { getPageOrPostForm, startTestSandbox } from './test-sandbox.ts'

const key = () => randomUUID()
let sandbox: Awaited<ReturnType<typeof startTestSandbox>>
let gateway: PaymentGateway
let stripe: Stripe
let customer: string

beforeAll(async () => {
  sandbox = await startTestSandbox()
  gateway = stripeGateway(sandbox.config)
  const { hostname, port } = new URL(sandbox.pages)
  stripe = new Stripe(sandbox.config.secretKey, { host: hostname, port, protocol: 'http', telemetry: false })
  customer = await gateway.customer('player-1', key())
})
afterAll(() => sandbox.stop())

const setup = () =>
  gateway.setupPage({ customer, payer: 'player-1', returnUrl: 'https://app.example/cards', cancelUrl: 'https://app.example/', key: key() })
const buy = () =>
  gateway.checkout({
    customer,
    payer: 'player-1',
    item: { name: '3 folders', amount: 4200 },
    metadata: { package: 'triple' },
    returnUrl: 'https://app.example/bought',
    cancelUrl: 'https://app.example/',
    key: key(),
  })
/** Saves a card on a hosted setup page. Returns the payment method's id. */
const saved = async (number: string) => {
  const page = await setup()
  await getPageOrPostForm(page.url, testCardDetails(number))
  return (await gateway.fetchSetupCard(page.session))!.method.method
}
const charge = (method: string) => gateway.charge({ payment: key(), attempt: '1', customer, method, amount: 1750, key: key() })
const answer = (url: string, what: 'complete' | 'fail') => getPageOrPostForm(url, { answer: what })

describe('saving a card', () => {
  test('saves a good card and sends its owner back', async () => {
    const page = await setup()
    const form = await getPageOrPostForm(page.url)
    expect(form.status).toBe(200)
    expect(form.html).toContain('Stripe sandbox: no real money moves')
    const sent = await getPageOrPostForm(page.url, testCardDetails('4242 4242 4242 4242'))
    expect([sent.status, sent.to]).toEqual([303, `https://app.example/cards?setup=${page.session}`])
    const done = await gateway.fetchSetupCard(page.session)
    expect(done).toMatchObject({ customer, payer: 'player-1', method: { brand: 'visa', last4: '4242', expMonth: 12, expYear: 2034 } })
    expect(await charge(done!.method.method)).toMatchObject({ outcome: 'succeeded' })
    expect((await getPageOrPostForm(page.url)).html).toContain('This card was saved.')
    expect((await getPageOrPostForm(page.url, testCardDetails('4242424242424242'))).status).toBe(200)
    expect((await gateway.cards(customer)).filter(c => c.method === done!.method.method)).toHaveLength(1)
  })

  test.each([
    ['number', { number: '' }, 'Enter the card number.'],
    ['number', { number: '4242424242424241' }, 'Your card number is invalid.'],
    ['number', { number: '4111111111111111' }, 'This is not a test card.'],
    ['expiry', { expiry: '13 / 34' }, 'Enter the month and the year'],
    ['expiry', { expiry: '01 / 20' }, 'in the past'],
    ['cvc', { cvc: '12' }, 'Enter the three digits.'],
    ['name', { name: ' ' }, 'Enter the name on the card.'],
    ['number', testCardDetails('4000000000000002'), 'Your card was declined.'],
    ['number', testCardDetails('4000000000009995'), 'Your card has insufficient funds.'],
    ['number', testCardDetails('4000000000000069'), 'Your card has expired.'],
    ['number', testCardDetails('4000000000000127'), 'security code is incorrect'],
  ])('%s %o: %s', async (field, wrong, message) => {
    const page = await setup()
    const { status, html } = await getPageOrPostForm(page.url, { ...testCardDetails('4242424242424242'), ...wrong })
    expect(status).toBe(422)
    const shown = new RegExp(`id="${field}-error">([^<]*)<`).exec(html)![1]!.replaceAll('&#39;', '’')
    expect(shown).toContain(message)
    expect(html).toMatch(new RegExp(`id="${field}"[^>]*aria-invalid="true"`))
    expect(await gateway.fetchSetupCard(page.session)).toBeNull()
    await getPageOrPostForm(page.url, testCardDetails('4242424242424242'))
    expect(await gateway.fetchSetupCard(page.session)).not.toBeNull()
  })

  test('does not store a number that is not a test card', async () => {
    const page = await setup()
    const { html } = await getPageOrPostForm(page.url, { ...testCardDetails('4111111111111111'), name: '"><script>alert(1)</script>' })
    expect(html).not.toContain('<script')
    expect(html).toContain('&quot;&gt;&lt;script')
  })

  test('offers test cards that fill in the form', async () => {
    const page = await setup()
    const { html } = await getPageOrPostForm(page.url, { number: '', expiry: '', cvc: '', name: 'Sam', fill: '4000002500003155' })
    expect(html).toMatch(/name="number" value="4000 0025 0000 3155"/)
    expect(html).toMatch(/name="name" value="Sam"/)
    expect(await gateway.fetchSetupCard(page.session)).toBeNull()
  })

  test('accepts a form filled in with a test card', async () => {
    const page = await setup()
    const { html } = await getPageOrPostForm(page.url, { number: '', expiry: '', cvc: '', name: '', fill: '5555555555554444' })
    const filled = Object.fromEntries(
      [...html.matchAll(/name="(number|expiry|cvc|name|line1|city|state|postal)" value="([^"]*)"/g)].map(([, field, value]) => [
        field,
        value,
      ]),
    )
    expect(html).toMatch(/<option value="US" selected>/)
    expect((await getPageOrPostForm(page.url, { ...filled, country: 'US' })).to).toContain('https://app.example/cards')
  })

  test('requires authentication once, and not again for charges without the owner', async () => {
    const page = await setup()
    const bank = await getPageOrPostForm(page.url, testCardDetails('4000002500003155'))
    expect(bank.to).toMatch(/\/3ds\/seti_/)
    expect((await getPageOrPostForm(bank.to)).html).toContain('Is this you?')
    expect(await gateway.fetchSetupCard(page.session)).toBeNull()
    const back = await answer(bank.to, 'complete')
    expect(back.to).toContain(`/c/pay/${page.session}/return`)
    expect((await getPageOrPostForm(back.to)).to).toBe(`https://app.example/cards?setup=${page.session}`)
    const { method } = (await gateway.fetchSetupCard(page.session))!
    expect(await charge(method.method)).toMatchObject({ outcome: 'succeeded' })
    expect((await answer(bank.to, 'complete')).html).toContain('Nothing left to do')
  })

  test('reports failed authentication, and another card can be tried', async () => {
    const page = await setup()
    const bank = await getPageOrPostForm(page.url, testCardDetails('4000002500003155'))
    const back = await answer(bank.to, 'fail')
    expect((await getPageOrPostForm(back.to)).html).toContain('unable to authenticate')
    expect((await getPageOrPostForm(page.url, testCardDetails('5555555555554444'))).to).toContain('https://app.example/cards')
  })

  test('expires if the page is not used', async () => {
    const page = await setup()
    await stripe.checkout.sessions.expire(page.session)
    expect(await getPageOrPostForm(page.url)).toMatchObject({ status: 410 })
    expect((await getPageOrPostForm(page.url, testCardDetails('4242424242424242'))).status).toBe(410)
  })
})

describe('the checkout page', () => {
  test("sells a package, whose charge carries the package's metadata", async () => {
    const page = await buy()
    expect((await getPageOrPostForm(page.url)).html).toMatch(/3 folders[\s\S]*\$42\.00/)
    const sent = await getPageOrPostForm(page.url, testCardDetails('4242424242424242'))
    expect(sent.to).toBe(`https://app.example/bought?session=${page.session}`)
    const done = await gateway.fetchCheckout(page.session)
    expect(done).toMatchObject({ paid: true, payer: 'player-1', customer, amount: 4200, metadata: { package: 'triple' } })
    expect(await stripe.charges.retrieve(done.charge!)).toMatchObject({ amount: 4200, metadata: { package: 'triple', player: 'player-1' } })
    expect(await gateway.outcomeOfIntent(done.intent!)).toMatchObject({ outcome: 'succeeded' })
  })

  test('accepts another card after a declined one, and makes one charge', async () => {
    const page = await buy()
    expect((await getPageOrPostForm(page.url, testCardDetails('4000000000009995'))).status).toBe(422)
    await getPageOrPostForm(page.url, testCardDetails('4242424242424242'))
    await getPageOrPostForm(page.url, testCardDetails('4242424242424242'))
    const { intent } = await gateway.fetchCheckout(page.session)
    const { data } = await stripe.charges.list({ payment_intent: intent! })
    expect(data.map(c => c.status)).toEqual(['succeeded', 'failed'])
  })

  test('accepts a card that needs authentication once the bank has authenticated it', async () => {
    const page = await buy()
    const bank = await getPageOrPostForm(page.url, testCardDetails('4000002760003184'))
    expect((await getPageOrPostForm(bank.to)).html).toContain('$42.00')
    const back = await answer(bank.to, 'complete')
    expect((await getPageOrPostForm(back.to)).to).toContain('https://app.example/bought')
    expect(await gateway.fetchCheckout(page.session)).toMatchObject({ paid: true })
  })
})

describe("a charge that needs authentication by the card's owner", () => {
  const needed = async () => {
    const page = await setup()
    const bank = await getPageOrPostForm(page.url, testCardDetails('4000002760003184'))
    await getPageOrPostForm((await answer(bank.to, 'complete')).to)
    const { method } = (await gateway.fetchSetupCard(page.session))!
    const failed = await charge(method.method)
    expect(failed).toMatchObject({ outcome: 'failed', reason: 'authentication-needed' })
    const intent = failed.intent!
    const asked = await gateway.authenticatePage({ intent, method: method.method, returnUrl: 'https://app.example/paid?p=1', key: key() })
    if (asked.outcome !== 'page') throw new Error()
    return { intent, url: asked.url, method: method.method }
  }

  test('is paid once with the same intent after authentication', async () => {
    const { intent, url } = await needed()
    const back = new URL((await answer(url, 'complete')).to)
    expect(Object.fromEntries(back.searchParams)).toMatchObject({ p: '1', payment_intent: intent, redirect_status: 'succeeded' })
    await answer(url, 'complete')
    expect(await gateway.outcomeOfIntent(intent)).toMatchObject({ outcome: 'succeeded', intent })
    const { data } = await stripe.charges.list({ payment_intent: intent })
    expect(data.filter(c => c.paid)).toHaveLength(1)
  })
  test('is not paid if the owner refuses', async () => {
    const { intent, url } = await needed()
    expect((await answer(url, 'fail')).to).toContain('redirect_status=failed')
    expect(await gateway.outcomeOfIntent(intent)).toMatchObject({ outcome: 'failed', reason: 'authentication-needed' })
  })
  test("is never paid after it was abandoned, even if the bank's page is still open", async () => {
    const { intent, url } = await needed()
    expect(await gateway.abandon(intent, key())).toEqual({ outcome: 'canceled', intent })
    expect((await answer(url, 'complete')).html).toContain('Nothing left to do')
    expect(await gateway.outcomeOfIntent(intent)).toEqual({ outcome: 'canceled', intent })
  })
  test('has no bank page under an invented token', async () => {
    const { url } = await needed()
    expect(
      (
        await answer(
          url.replace(/.$/, c => (c === 'A' ? 'B' : 'A')),
          'complete',
        )
      ).status,
    ).toBe(404)
  })
})

describe('the onboarding page for payouts', () => {
  const links = { returnUrl: 'https://app.example/paid', refreshUrl: 'https://app.example/again' }
  const good = { first: 'Jenny', last: 'Rosen', birth: '1990-01-01', ssn: '0000', routing: '110000000', account: '000123456789' }

  test('can be left unfinished, then lack a bank account, and then be complete', async () => {
    const account = await gateway.payoutAccount('instructor-1', 'coach@example.com', key())
    const link = await gateway.onboardingLink(account, links)
    const page = `${sandbox.pages}${(await getPageOrPostForm(link)).to}`
    expect((await getPageOrPostForm(link)).to).toBe('https://app.example/again')
    expect((await getPageOrPostForm(page)).html).toContain('coach@example.com')
    expect((await getPageOrPostForm(page, { action: 'leave' })).to).toBe('https://app.example/paid')
    expect(await gateway.accountStatus(account)).toMatchObject({ takesTransfers: false })
    const wrong = await getPageOrPostForm(page, { ...good, ssn: '12', action: 'submit' })
    expect(wrong.status).toBe(422)
    expect(wrong.html).toContain('Enter four digits.')
    await getPageOrPostForm(page, { ...good, routing: '', account: '', action: 'without-bank' })
    expect(await gateway.accountStatus(account)).toEqual({
      takesTransfers: true,
      requirements: ['configuration.recipient.default_outbound_destination'],
    })
    expect((await getPageOrPostForm(page, { ...good, action: 'submit' })).to).toBe('https://app.example/paid')
    expect(await gateway.accountStatus(account)).toEqual({ takesTransfers: true, requirements: [] })
    await gateway.transfer({ payment: key(), nth: 1, amount: 1200, destination: account, key: key() })
    const dashboard = await getPageOrPostForm(await gateway.dashboardLink(account))
    expect(dashboard.html).toContain('$12.00')
  })
})

describe('the overview page of the sandbox', () => {
  test('shows what happened, and can dispute a charge', async () => {
    const done = await charge(await saved('4242424242424242'))
    if (done.outcome !== 'succeeded') throw new Error()
    const { html } = await getPageOrPostForm(sandbox.pages)
    for (const id of [done.intent, done.charge, customer]) expect(html).toContain(id)
    expect((await getPageOrPostForm(`${sandbox.pages}/_/dispute`, { id: done.charge })).to).toBe('/')
    expect((await getPageOrPostForm(`${sandbox.pages}/_/dispute`, { id: done.charge })).status).toBe(400)
    expect(await stripe.charges.retrieve(done.charge)).toMatchObject({ disputed: true })
  })
  test('rejects forms that another site submits', async () => {
    const send = (headers: Record<string, string>) => fetch(`${sandbox.pages}/_/reset`, { method: 'POST', headers, redirect: 'manual' })
    expect((await send({ origin: 'https://evil.example' })).status).toBe(403)
    expect((await send({ 'sec-fetch-site': 'cross-site' })).status).toBe(403)
    expect((await send({ origin: sandbox.pages })).status).toBe(303)
  })
  test('has no scripts, and its policy allows none', async () => {
    const { html, headers } = await getPageOrPostForm((await setup()).url)
    expect(html).not.toMatch(/<script|<style|style=/)
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self' https://app.example; base-uri 'none'; frame-ancestors 'none'",
    )
  })
  test('answers 404 for unknown paths', async () => {
    expect((await getPageOrPostForm(`${sandbox.pages}/nothing`)).status).toBe(404)
    expect((await getPageOrPostForm(`${sandbox.pages}/c/pay/cs_test_nothing`)).status).toBe(404)
  })
})

describe('a foreign site whose host name resolves to this machine', () => {
  const statusOf = (path: string, host: string, method: string) =>
    new Promise(done =>
      request(sandbox.pages + path, { method, headers: { host } }, reply => done(reply.resume().statusCode)).end(
        method === 'POST' ? 'x=1' : '',
      ),
    )
  test.each([
    ['GET', '/'],
    ['POST', '/settings'],
    ['GET', '/v1/customers'],
    ['POST', '/v1/customers'],
  ])('cannot read or change anything: %s %s', async (method, path) => {
    const { port } = new URL(sandbox.pages)
    for (const host of ['evil.example', `evil.example:${port}`, `127.0.0.1.evil.example:${port}`, '127.0.0.1', 'localhost:1'])
      expect([host, await statusOf(path, host, method)]).toEqual([host, 403])
  })
  test('is refused by its name, while localhost is accepted', async () => {
    const { port } = new URL(sandbox.pages)
    expect(await statusOf('/', `localhost:${port}`, 'GET')).toBe(200)
  })
})
