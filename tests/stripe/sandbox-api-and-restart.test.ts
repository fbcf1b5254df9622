import { randomUUID } from 'node:crypto'
import { appendFile, readFile, stat } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import Stripe from 'stripe'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { stripeGateway } from '../../modules/payments/gateway.ts'
import { decodeForm } from '../../src/embedded/stripe/decode-form.ts'
import { testCardDetails } from '../support/test-card-details.ts'
import { getPageOrPostForm, startTestSandbox } from './test-sandbox.ts'

const key = () => randomUUID()
let sandbox: Awaited<ReturnType<typeof startTestSandbox>>
let stripe: Stripe
beforeEach(async () => {
  sandbox = await startTestSandbox()
  stripe = client()
})
afterEach(() => sandbox.stop())

function client() {
  const { hostname, port } = new URL(sandbox.pages)
  return new Stripe(sandbox.config.secretKey, { host: hostname, port, protocol: 'http', telemetry: false, maxNetworkRetries: 0 })
}

describe('the API of the Stripe sandbox', () => {
  test('decodes forms with nested fields, lists and unusual names', () => {
    expect(decodeForm('a=1&b[c]=2&b[d][e]=3&l[0]=x&l[1][k]=y&m[]=p&m[]=q')).toEqual({
      a: '1',
      b: { c: '2', d: { e: '3' } },
      l: ['x', { k: 'y' }],
      m: ['p', 'q'],
    })
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
    decodeForm('__proto__[polluted]=1&constructor[prototype][polluted]=1')
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  })

  test('pages lists forward and backward, and filters them', async () => {
    const made: string[] = []
    for (let i = 0; i < 7; i++) made.unshift((await stripe.customers.create({ metadata: { i } })).id)
    const ids = (page: { data: { id: string }[] }) => page.data.map(c => c.id)
    const first = await stripe.customers.list({ limit: 3 })
    expect([ids(first), first.has_more]).toEqual([made.slice(0, 3), true])
    const second = await stripe.customers.list({ limit: 3, starting_after: made[2]! })
    expect([ids(second), second.has_more]).toEqual([made.slice(3, 6), true])
    expect(ids(await stripe.customers.list({ limit: 2, ending_before: made[4]! }))).toEqual(made.slice(2, 4))
    expect(ids(await stripe.customers.list({ created: { gt: 4_000_000_000 } }))).toEqual([])
    const walked: string[] = []
    for await (const c of stripe.customers.list({ limit: 2 })) walked.push(c.id)
    expect(walked).toEqual(made)
    await expect(stripe.customers.list({ starting_after: 'cus_nobody' })).rejects.toMatchObject({ code: 'resource_missing' })
  })

  test('finds objects by metadata and fields', async () => {
    const customer = (await stripe.customers.create({})).id
    const pay = (payment: string, amount: number) =>
      stripe.paymentIntents.create({ amount, currency: 'usd', customer, metadata: { payment }, allowed_payment_method_types: ['card'] })
    const [a, b] = [await pay('p-1', 100), await pay('p-2', 900)]
    const found = async (query: string) => (await stripe.paymentIntents.search({ query })).data.map(i => i.id)
    expect(await found(`metadata['payment']:'p-1'`)).toEqual([a.id])
    expect(await found(`customer:"${customer}" AND amount>500`)).toEqual([b.id])
    expect(await found(`metadata['payment']:'p-1' OR metadata['payment']:'p-2'`)).toEqual([b.id, a.id])
    expect(await found(`-status:'succeeded' AND metadata["none"]:null`)).toEqual([b.id, a.id])
    await expect(found('what')).rejects.toMatchObject({ param: 'query' })
  })

  test('expands references on request', async () => {
    const customer = (await stripe.customers.create({})).id
    const method = (await stripe.paymentMethods.attach('pm_card_visa', { customer })).id
    const intent = await stripe.paymentIntents.create({
      amount: 500,
      currency: 'usd',
      customer,
      payment_method: method,
      confirm: true,
      off_session: true,
      allowed_payment_method_types: ['card'],
      expand: ['latest_charge.balance_transaction', 'customer'],
    })
    const charge = intent.latest_charge as Stripe.Charge
    expect((charge.balance_transaction as Stripe.BalanceTransaction).net).toBe(500 - 45)
    expect((intent.customer as Stripe.Customer).id).toBe(customer)
    const listed = await stripe.paymentIntents.list({ expand: ['data.payment_method'] })
    expect((listed.data[0]!.payment_method as Stripe.PaymentMethod).id).toBe(method)
    await expect(stripe.paymentIntents.retrieve(intent.id, { expand: ['nothing'] })).rejects.toThrow('cannot be expanded')
  })

  test.each([
    [{ currency: 'usd' }, 'parameter_missing', 'amount'],
    [{ amount: 'many', currency: 'usd' }, 'parameter_invalid_integer', 'amount'],
    [{ amount: 100, currency: 'usd', colour: 'red' }, 'parameter_unknown', 'colour'],
    [{ amount: 100, currency: 'usd', payment_method_types: ['card'] }, 'payment_method_types_no_longer_supported', 'payment_method_types'],
    [{ amount: 100, currency: 'usd', customer: 'cus_nobody' }, 'resource_missing', 'customer'],
    [{ amount: 100, currency: 'usd', metadata: { ['k'.repeat(41)]: 'v' } }, undefined, undefined],
  ])('refuses a payment intent with %o: %s', async (params, code, param) => {
    await expect(stripe.paymentIntents.create(params as unknown as Stripe.PaymentIntentCreateParams)).rejects.toMatchObject({
      type: 'StripeInvalidRequestError',
      statusCode: 400,
      requestId: expect.stringMatching(/^req_/),
      ...(code && { code, param }),
    })
  })

  test('checks requests for key, version, replay and path', async () => {
    const call = (headers: Record<string, string>, path = '/v1/customers') =>
      fetch(`${sandbox.pages}${path}`, { method: 'POST', headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers } })
    expect((await call({})).status).toBe(401)
    expect((await call({ authorization: 'Bearer sk_test_other' })).status).toBe(401)
    const authorization = `Bearer ${sandbox.config.secretKey}`
    const basic = `Basic ${Buffer.from(`${sandbox.config.secretKey}:`).toString('base64')}`
    const first = await call({ authorization, 'idempotency-key': 'k-1', 'stripe-version': '2026-10-28.endive' })
    expect([first.status, first.headers.get('stripe-version'), first.headers.get('idempotent-replayed')]).toEqual([
      200,
      '2026-10-28.endive',
      null,
    ])
    const second = await call({ authorization: basic, 'idempotency-key': 'k-1' })
    expect(second.headers.get('idempotent-replayed')).toBe('true')
    expect(await second.json()).toEqual(await first.json())
    expect((await call({ authorization, 'idempotency-key': 'k-1' }, '/v1/setup_intents')).status).toBe(400)
    expect((await call({ authorization }, '/v1/invoices')).status).toBe(404)
  })
})

describe('a restart of the sandbox', () => {
  test('keeps keys, addresses, objects, answers and open pages', async () => {
    const gateway = stripeGateway(sandbox.config)
    const customer = await gateway.customer('player-1', 'key-1')
    const links = { returnUrl: 'https://app.example/', cancelUrl: 'https://app.example/' }
    const page = await gateway.setupPage({ customer, payer: 'player-1', ...links, key: key() })
    const method = (await stripe.paymentMethods.attach('pm_card_visa', { customer })).id
    const asked = { payment: key(), attempt: '1', customer, method, amount: 1750, key: key() }
    const paid = await gateway.charge(asked)
    const before = sandbox.config
    await sandbox.restart()
    expect(sandbox.config).toEqual(before)
    expect(await gateway.charge(asked)).toEqual(paid)
    expect(await gateway.customer('player-1', 'key-1')).toBe(customer)
    expect((await gateway.cards(customer)).map(c => c.method)).toEqual([method])
    expect(await gateway.findCharge(asked.payment, '1')).toEqual(paid)
    expect((await getPageOrPostForm(page.url, testCardDetails('4242424242424242'))).to).toContain('https://app.example/')
    await gateway.removeCard(method)
    await sandbox.restart()
    expect(await gateway.card(method)).toBeNull()
    expect(await gateway.fetchSetupCard(page.session)).toMatchObject({ customer })
  })

  test('drops a line that a kill cut short, and keeps all lines before it', async () => {
    const customer = (await stripe.customers.create({})).id
    const file = join(sandbox.dataDir, 'journal.jsonl')
    let whole = ''
    await sandbox.restart(async () => {
      whole = await readFile(file, 'utf8')
      await appendFile(file, '[["customer","cus_half",{"id":"cus_ha')
    })
    // The sandbox may already have added the outcome of a webhook delivery.
    const kept = await readFile(file, 'utf8')
    expect([kept.startsWith(whole), kept.includes('cus_half')]).toEqual([true, false])
    stripe = client()
    expect((await stripe.customers.list()).data.map(c => c.id)).toEqual([customer])
    const next = (await stripe.customers.create({})).id
    await sandbox.restart()
    expect((await client().customers.list()).data.map(c => c.id)).toEqual([next, customer])
  })

  test('rewrites a long history to a shorter one with the same content', async () => {
    const customer = (await stripe.customers.create({})).id
    const line = JSON.stringify([['account', 'acct_x', { id: 'acct_x', object: 'account', created: 1 }]])
    const file = join(sandbox.dataDir, 'journal.jsonl')
    await appendFile(file, `${line}\n`.repeat(1500))
    const { size } = await stat(file)
    await sandbox.restart()
    expect((await stat(file)).size).toBeLessThan(size / 4)
    await sandbox.restart()
    expect((await client().customers.list()).data.map(c => c.id)).toEqual([customer])
  })

  test('uses another port if its own port is taken', async () => {
    const port = Number(new URL(sandbox.pages).port)
    const other = createServer()
    await sandbox.restart(() => new Promise<void>(done => other.listen(port, '127.0.0.1', done)))
    expect(new URL(sandbox.pages).port).not.toBe(String(port))
    expect((await getPageOrPostForm(sandbox.pages)).status).toBe(200)
    await new Promise(done => other.close(done))
  })
})
