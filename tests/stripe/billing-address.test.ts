import { randomUUID } from 'node:crypto'
import Stripe from 'stripe'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type PaymentGateway, stripeGateway } from '../../modules/payments/gateway.ts'
import { testCardDetails } from '../support/test-card-details.ts'
import { getPageOrPostForm, startTestSandbox } from './test-sandbox.ts'

let sandbox: Awaited<ReturnType<typeof startTestSandbox>>
let gateway: PaymentGateway
let stripe: Stripe
beforeAll(async () => {
  sandbox = await startTestSandbox()
  gateway = stripeGateway(sandbox.config)
  const { hostname, port } = new URL(sandbox.pages)
  stripe = new Stripe(sandbox.config.secretKey, { host: hostname, port, protocol: 'http', telemetry: false })
})
afterAll(() => sandbox.stop())

const setup = (customer: string) => {
  const urls = { returnUrl: 'https://app.example/', cancelUrl: 'https://app.example/' }
  return gateway.setupPage({ customer, payer: 'player-1', ...urls, key: randomUUID() })
}
test('the address on the page becomes that of the customer and the card', async () => {
  const { id } = await stripe.customers.create()
  const page = await setup(id)
  expect(await stripe.customers.retrieve(id)).toMatchObject({ address: null })
  await getPageOrPostForm(page.url, {
    ...testCardDetails(),
    country: 'GB',
    line1: '2 Mound Road',
    city: 'Leeds',
    state: '',
    postal: 'LS1 1AA',
  })
  const address = { country: 'GB', line1: '2 Mound Road', line2: null, city: 'Leeds', state: null, postal_code: 'LS1 1AA' }
  expect(await stripe.customers.retrieve(id)).toMatchObject({ address })
  const { method } = (await gateway.fetchSetupCard(page.session))!
  expect(await stripe.paymentMethods.retrieve(method.method)).toMatchObject({ billing_details: { address } })
})

test('a page whose session requires no address does not ask for it', async () => {
  const { id } = await stripe.customers.create()
  const required = { billing_address_collection: 'required' } as const
  const open = async (more: object) =>
    (
      await stripe.checkout.sessions.create({
        mode: 'setup',
        customer: id,
        currency: 'usd',
        success_url: 'https://app.example/',
        ...more,
      })
    ).url!
  const { line1: _, ...withoutAddress } = testCardDetails()
  const plain = await open({})
  expect((await getPageOrPostForm(plain)).html).not.toContain('Billing address')
  expect((await getPageOrPostForm(plain, withoutAddress)).to).toBe('https://app.example/')
  // Without `customer_update`, Stripe leaves the customer as it is.
  expect((await getPageOrPostForm(await open(required), testCardDetails())).to).toBe('https://app.example/')
  expect(await stripe.customers.retrieve(id)).toMatchObject({ address: null })
})

test.each([
  ['country', { country: 'XX' }, 'Choose the country.'],
  ['line1', { line1: ' ' }, 'Enter the address.'],
  ['city', { city: '' }, 'Enter the city.'],
  ['state', { state: '' }, 'Enter the state or province.'],
  ['postal', { postal: '' }, 'Enter the ZIP code, as in 62701.'],
  ['postal', { postal: '6270' }, 'Enter the ZIP code, as in 62701.'],
  ['postal', { country: 'GB', state: '', postal: '' }, 'Enter the postal code.'],
])('the field %s with %o shows the message: %s', async (field, wrong, message) => {
  const { url } = await setup((await stripe.customers.create()).id)
  const { status, html } = await getPageOrPostForm(url, { ...testCardDetails(), ...wrong })
  expect(status).toBe(422)
  expect(new RegExp(`id="${field}-error">([^<]*)<`).exec(html)![1]).toBe(message)
  expect(html).toMatch(new RegExp(`id="${field}"[^>]*aria-invalid="true"[^>]*aria-describedby="${field}-error"`))
})
