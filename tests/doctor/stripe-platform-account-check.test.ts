import { expect, test } from 'vitest'
import { checkStripePlatformAccount } from '../../modules/payments/stripe/platform-account-check.ts'
import { HANDLED_STRIPE_WEBHOOK_TYPES } from '../../modules/payments/webhooks.ts'
import { startJsonServer } from './json-server.ts'

const KEY = 'sk_test_doctor'
const ORIGIN = 'https://diamondlink.example'
const URL_OF_WEBHOOKS = `${ORIGIN}/api/webhooks/stripe`
const failure = (status: number, message: string) => ({ status, body: { error: { type: 'invalid_request_error', message } } })
const snapshots = HANDLED_STRIPE_WEBHOOK_TYPES.filter(type => !type.startsWith('v2.'))
const thin = HANDLED_STRIPE_WEBHOOK_TYPES.filter(type => type.startsWith('v2.'))
const destination = (enabled_events: readonly string[], more: object = {}) => ({
  id: 'ed_1',
  object: 'v2.core.event_destination',
  status: 'enabled',
  event_payload: 'thin',
  enabled_events,
  webhook_endpoint: { url: URL_OF_WEBHOOKS },
  ...more,
})
const endpoint = (enabled_events: readonly string[], more: object = {}) => ({
  id: `we_${enabled_events.length}`,
  object: 'webhook_endpoint',
  url: URL_OF_WEBHOOKS,
  status: 'enabled',
  enabled_events,
  ...more,
})

interface Account {
  /** The error of the first request, if Stripe refuses it although the key is right. */
  refusal?: string
  livemode: boolean
  charges_enabled: boolean
  connect: boolean
  /** Undefined if Stripe refuses to list them. */
  endpoints: object[] | undefined
  destinations: { webhook_endpoint?: object }[]
}
const ready: Account = {
  livemode: true,
  charges_enabled: true,
  connect: true,
  endpoints: [endpoint(snapshots)],
  destinations: [destination(thin)],
}

/** A server that answers requests with the right key as Stripe would for this account. */
const stripeOf = (account: Account) =>
  startJsonServer(({ method, url, headers }) => {
    if (headers.authorization !== `Bearer ${KEY}`) return failure(401, 'Invalid API Key provided')
    const list = (data: object[]) => ({ status: 200, body: { object: 'list', data, has_more: false, url } })
    switch (`${method} ${url!.split('?')[0]}`) {
      case 'GET /v1/balance':
        if (account.refusal) return failure(400, account.refusal)
        return { status: 200, body: { object: 'balance', livemode: account.livemode, available: [], pending: [] } }
      case 'GET /v1/account':
        return { status: 200, body: { id: 'acct_1', object: 'account', charges_enabled: account.charges_enabled } }
      case 'GET /v1/accounts':
        return account.connect ? list([]) : failure(400, 'You can only list accounts if you signed up for Connect')
      case 'GET /v1/webhook_endpoints':
        return account.endpoints ? list(account.endpoints) : failure(400, 'This account is closed')
      case 'GET /v2/core/event_destinations': {
        // Stripe leaves out the URL unless the request asks for it.
        const isAddressIncluded = decodeURIComponent(url!).includes('webhook_endpoint.url')
        const data = account.destinations.map(one => (isAddressIncluded ? one : { ...one, webhook_endpoint: {} }))
        return { status: 200, body: { data, next_page_url: null, previous_page_url: null } }
      }
      default:
        return failure(404, `Unrecognized request URL (${method}: ${url})`)
    }
  })
const failuresOf = async (account: Account, o: { key?: string; origin?: string } = {}) => {
  const config = { secretKey: o.key ?? KEY, url: await stripeOf(account) }
  const findings = await checkStripePlatformAccount(config, o.origin ?? ORIGIN, HANDLED_STRIPE_WEBHOOK_TYPES)
  return findings.filter(f => !f.isTrue).map(f => `${f.check}: ${f.advice}`)
}

test('an account that is ready passes the check', async () => {
  expect(await failuresOf(ready)).toEqual([])
})

test('webhooks may go to several endpoints or to one endpoint for all events', async () => {
  const halves = [endpoint(snapshots.slice(0, 3)), endpoint(snapshots.slice(3))]
  expect(await failuresOf({ ...ready, endpoints: halves })).toEqual([])
  expect(await failuresOf({ ...ready, endpoints: [endpoint(['*'])] })).toEqual([])
})

test('a webhook event type without an endpoint is named', async () => {
  const [first, second, ...rest] = snapshots
  expect(await failuresOf({ ...ready, endpoints: [endpoint(rest)] })).toEqual([
    `Stripe sends every webhook that is needed: Let an endpoint for ${URL_OF_WEBHOOKS} also send: ${first}, ${second}.`,
  ])
  expect(await failuresOf({ ...ready, endpoints: undefined })).toEqual([
    `Stripe sends every webhook that is needed: Add an endpoint for ${URL_OF_WEBHOOKS}. Stripe says: This account is closed`,
  ])
})

test.each([
  ['one with a single type', [destination(thin.slice(1))]],
  ['one with whole events', [destination(thin, { event_payload: 'snapshot' })]],
  ['one that is turned off', [destination(thin, { status: 'disabled' })]],
  ['one with another address', [destination(thin, { webhook_endpoint: { url: 'https://elsewhere.example/' } })]],
  ['one without an address', [destination(thin, { webhook_endpoint: undefined })]],
  ['none', []],
])('thin events of payout accounts need a complete destination; there is %s', async (_, destinations) => {
  const failures = await failuresOf({ ...ready, destinations })
  expect(failures).toEqual([
    expect.stringMatching(/^Stripe says when a payout account changes: Add an event destination .*v2\.core\.account/),
  ])
})

test.each([
  ['of another address', { url: 'https://elsewhere.example/api/webhooks/stripe' }],
  ['that is turned off', { status: 'disabled' }],
])('a webhook endpoint %s does not count', async (_, more) => {
  const [failure] = await failuresOf({ ...ready, endpoints: [endpoint(['*'], more)] })
  expect(failure).toContain('payment_intent.succeeded')
})

test('an account that is not activated and a platform without Connect are reported', async () => {
  expect(await failuresOf({ ...ready, charges_enabled: false, connect: false })).toEqual([
    'the account may take payments: Finish the activation of the account in the Stripe dashboard.',
    'Connect is turned on, so that instructors can be paid: Register the platform in the Stripe dashboard, under Connect. Stripe says: You can only list accounts if you signed up for Connect',
  ])
})

test('if Stripe does not know the key, nothing else is reported', async () => {
  expect(await failuresOf(ready, { key: 'sk_test_other' })).toEqual([
    'the Stripe secret key is valid: Stripe does not know it. Copy STRIPE_SECRET_KEY from the dashboard, under Developers › API keys.',
  ])
  expect(await failuresOf({ ...ready, refusal: 'This account is closed' })).toEqual([
    'the Stripe secret key is valid: The request to Stripe failed: This account is closed',
  ])
})

test('test keys on a public server and live keys on a local one are reported', async () => {
  const check = 'live keys are used where people pay, and test keys where they do not'
  expect(await failuresOf({ ...ready, livemode: false })).toEqual([
    `${check}: ORIGIN is ${ORIGIN}, but the key is for tests: nobody is charged. Use a live key (sk_live_…).`,
  ])
  const local = 'http://127.0.0.1:4321'
  const endpoints = [endpoint(['*'], { url: `${local}/api/webhooks/stripe` })]
  const destinations = [destination(thin, { webhook_endpoint: { url: `${local}/api/webhooks/stripe` } })]
  expect(await failuresOf({ ...ready, endpoints, destinations }, { origin: local })).toEqual([
    `${check}: ORIGIN is ${local}, but the key moves real money. Use a test key (sk_test_…) here.`,
  ])
})
