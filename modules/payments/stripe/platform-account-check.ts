import Stripe from 'stripe'
import type { DoctorCheckResult } from '../../doctor-check-result.ts'
import { createStripeClient } from './client.ts'

const WEBHOOK_PATH = '/api/webhooks/stripe'

/**
 * Checks whether the platform's Stripe account is ready for the product, without changing anything.
 * @param origin the public origin of the product
 * @param webhookTypes the types of webhooks that the server handles
 */
export async function checkStripePlatformAccount(
  config: { secretKey: string; url?: string },
  origin: string,
  webhookTypes: readonly string[],
): Promise<DoctorCheckResult[]> {
  const stripe = createStripeClient(config)
  const key = 'the Stripe secret key is valid'
  let isLive: boolean
  try {
    isLive = (await stripe.balance.retrieve()).livemode
  } catch (error) {
    const advice =
      error instanceof Stripe.errors.StripeAuthenticationError
        ? 'Stripe does not know it. Copy STRIPE_SECRET_KEY from the dashboard, under Developers › API keys.'
        : `The request to Stripe failed: ${(error as Error).message}`
    return [{ check: key, isTrue: false, advice }]
  }
  const isPublic = origin.startsWith('https:')
  return [
    { check: key, isTrue: true, advice: '' },
    {
      check: 'live keys are used where people pay, and test keys where they do not',
      isTrue: isLive === isPublic,
      advice: isLive
        ? `ORIGIN is ${origin}, but the key moves real money. Use a test key (sk_test_…) here.`
        : `ORIGIN is ${origin}, but the key is for tests: nobody is charged. Use a live key (sk_live_…).`,
    },
    await checkAnswer(
      'the account may take payments',
      async () => (await stripe.accounts.retrieveCurrent()).charges_enabled === true,
      'Finish the activation of the account in the Stripe dashboard.',
    ),
    await checkAnswer(
      'Connect is turned on, so that instructors can be paid',
      async () => !!(await stripe.accounts.list({ limit: 1 })),
      'Register the platform in the Stripe dashboard, under Connect.',
    ),
    await checkWebhooks(
      stripe,
      `${origin}${WEBHOOK_PATH}`,
      webhookTypes.filter(type => !isThin(type)),
    ),
    await checkThinEvents(stripe, `${origin}${WEBHOOK_PATH}`, webhookTypes.filter(isThin)),
  ]
}

async function checkAnswer(check: string, query: () => Promise<boolean>, advice: string): Promise<DoctorCheckResult> {
  try {
    return { check, isTrue: await query(), advice }
  } catch (error) {
    return { check, isTrue: false, advice: `${advice} Stripe says: ${(error as Error).message}` }
  }
}

/** Whether a webhook type belongs to version 2 of Stripe's API. Stripe sends those to event destinations, not to webhook endpoints. */
const isThin = (type: string) => type.startsWith('v2.')

async function checkThinEvents(stripe: Stripe, url: string, webhookTypes: readonly string[]): Promise<DoctorCheckResult> {
  let missing: string[] = []
  const isComplete = async () => {
    const sent = new Set<string>()
    const include = ['webhook_endpoint.url'] as const
    for await (const destination of stripe.v2.core.eventDestinations.list({ include: [...include] }))
      if (destination.webhook_endpoint?.url === url && destination.status === 'enabled' && destination.event_payload === 'thin')
        for (const type of destination.enabled_events) sent.add(type)
    missing = webhookTypes.filter(type => !sent.has(type))
    return missing.length === 0
  }
  const advice = `Add an event destination with thin events of connected accounts for ${url}.`
  const finding = await checkAnswer('Stripe says when a payout account changes', isComplete, advice)
  return missing.length ? { ...finding, advice: `${advice} It has to send: ${missing.join(', ')}.` } : finding
}

/**
 * Checks that the enabled webhook endpoints for this URL together send every type. There may be several, because events of the account
 * itself and events of connected accounts need separate endpoints.
 */
async function checkWebhooks(stripe: Stripe, url: string, webhookTypes: readonly string[]): Promise<DoctorCheckResult> {
  let missing: string[] = []
  const isComplete = async () => {
    const sent = new Set<string>()
    for await (const endpoint of stripe.webhookEndpoints.list({ limit: 100 }))
      if (endpoint.url === url && endpoint.status === 'enabled') for (const type of endpoint.enabled_events) sent.add(type)
    missing = sent.has('*') ? [] : webhookTypes.filter(type => !sent.has(type))
    return missing.length === 0
  }
  const finding = await checkAnswer('Stripe sends every webhook that is needed', isComplete, `Add an endpoint for ${url}.`)
  return missing.length ? { ...finding, advice: `Let an endpoint for ${url} also send: ${missing.join(', ')}.` } : finding
}
