import { randomBytes } from 'node:crypto'
import type Stripe from 'stripe'
import { z } from 'zod'
import type { ApiHandler, SandboxApiCall } from '../api-handler-types.ts'
import { pageOfList } from '../paginate-lists-and-searches.ts'
import { newStripeId, type SandboxStore, wallClockSeconds } from '../store.ts'
import { invalidRequest, noSuchObject } from '../stripe-error.ts'
import { booleanParameter, metadataParameter, textParameter, validateParameters } from '../validate-parameters.ts'
import { emitStripeEvent, emitThinEvent } from './events.ts'

const details = ['individual.first_name', 'individual.last_name', 'individual.dob.day', 'individual.dob.month', 'individual.dob.year']
const bank = ['external_account']
const terms = ['individual.ssn_last_4', 'tos_acceptance.date', 'tos_acceptance.ip']

const requirements = (due: string[]): Stripe.Account['requirements'] => ({
  alternatives: [],
  current_deadline: null,
  currently_due: due,
  disabled_reason: due.length ? 'requirements.past_due' : null,
  errors: [],
  eventually_due: due,
  past_due: due,
  pending_verification: [],
})

const creation = z.strictObject({
  type: z.literal('express'),
  country: z.literal('US').default('US'),
  email: textParameter.optional(),
  business_type: z.enum(['individual', 'company', 'non_profit']).optional(),
  capabilities: z.record(textParameter, z.strictObject({ requested: booleanParameter })).optional(),
  business_profile: z.record(textParameter, textParameter).optional(),
  metadata: metadataParameter,
})

export const createAccount: ApiHandler = ({ store, form }) => {
  const { email, metadata: its, capabilities = {} } = validateParameters(creation, form)
  return store.put('account', newAccount({ email, metadata: its, capabilities: Object.keys(capabilities) }))
}

/** Returns a new account whose owner has not entered any details yet; the caller stores it. */
export function newAccount(o: { email?: string; metadata?: Record<string, string>; capabilities: string[] }): Stripe.Account {
  return {
    id: newStripeId('acct', 16),
    object: 'account',
    business_profile: null,
    business_type: 'individual',
    capabilities: Object.fromEntries(o.capabilities.map(name => [name, 'inactive'])),
    charges_enabled: false,
    controller: {
      fees: { payer: 'application_express' },
      is_controller: true,
      losses: { payments: 'application' },
      requirement_collection: 'stripe',
      stripe_dashboard: { type: 'express' },
      type: 'application',
    },
    country: 'US',
    created: wallClockSeconds(),
    default_currency: 'usd',
    details_submitted: false,
    email: o.email ?? null,
    external_accounts: { object: 'list', data: [], has_more: false, url: '/v1/accounts/external_accounts' },
    metadata: o.metadata ?? {},
    payouts_enabled: false,
    requirements: requirements([...details, ...bank, ...terms]),
    settings: null,
    tos_acceptance: { date: null, ip: null },
    type: 'express',
  }
}

export function connectedAccountOf(store: SandboxStore, id: string, param = 'account') {
  const found = store.get('account', id)
  if (!found) throw noSuchObject('account', id, param, param === 'destination' ? 400 : 404)
  return found
}

/** Records that the owner has filled in the form. Payouts and charges are enabled only if the form contained a bank account. */
export function submitOnboardingDetails(store: SandboxStore, id: string, o: { bank: boolean }) {
  const account = connectedAccountOf(store, id)
  const updated = store.put('account', {
    ...account,
    details_submitted: true,
    payouts_enabled: o.bank,
    charges_enabled: o.bank,
    capabilities: Object.fromEntries(Object.keys(account.capabilities ?? {}).map(name => [name, 'active'])),
    requirements: requirements(o.bank ? [] : bank),
    tos_acceptance: { date: wallClockSeconds(), ip: null },
  })
  emitStripeEvent(store, 'account.updated', updated, id)
  emitThinEvent(store, 'v2.core.account[configuration.recipient].capability_status_updated', id)
  return updated
}

const token = () => randomBytes(18).toString('base64url')
const MINUTE_MS = 60_000

export const createAccountLink: ApiHandler = call => {
  const accountInput = validateParameters(
    z.strictObject({
      account: textParameter,
      type: z.enum(['account_onboarding', 'account_update']),
      return_url: z.url(),
      refresh_url: z.url(),
      collect: textParameter.optional(),
      collection_options: z.record(textParameter, textParameter).optional(),
    }),
    call.form,
  )
  const { url, expires } = addOnboardingLink(call, accountInput.account, {
    returnUrl: accountInput.return_url,
    refreshUrl: accountInput.refresh_url,
  })
  return { object: 'account_link', created: wallClockSeconds(), expires_at: Math.floor(expires / 1000), url }
}

/** Creates a single-use link that is valid for five minutes. `expires` is in ms since 1970. */
export function addOnboardingLink(
  { store, origin }: Pick<SandboxApiCall, 'store' | 'origin'>,
  of: string,
  { returnUrl, refreshUrl }: { returnUrl: string; refreshUrl: string },
) {
  const account = connectedAccountOf(store, of)
  const id = token()
  const expires = Date.now() + 5 * MINUTE_MS
  store.put('link', {
    id,
    kind: 'onboarding',
    account: account.id,
    expires,
    returnUrl,
    refreshUrl,
  })
  return { url: `${origin}/setup/e/${account.id}/${id}`, expires }
}

/** Opens a single-use link. @returns the page that it leads to; null if the link was used or has expired */
export function consumeAccountLink(store: SandboxStore, id: string) {
  const link = store.get('link', id)
  if (link?.kind !== 'onboarding' || link.expires < Date.now()) return null
  store.put('link', { ...link, expires: 0 })
  return store.put('link', { ...link, id: token(), kind: 'onboarding-page', expires: Date.now() + 24 * 60 * MINUTE_MS })
}

export const createLoginLink: ApiHandler = ({ store, form, at: [id], origin }) => {
  validateParameters(z.strictObject({}), form)
  const account = connectedAccountOf(store, id!)
  if (!account.details_submitted)
    throw invalidRequest('Cannot create a login link for an account that has not completed onboarding.', undefined, 'account')
  const link = store.put('link', {
    id: token(),
    kind: 'express',
    account: account.id,
    expires: Date.now() + 24 * 60 * MINUTE_MS,
    returnUrl: '',
    refreshUrl: '',
  })
  return { object: 'login_link', created: wallClockSeconds(), url: `${origin}/express/${account.id}/${link.id}` }
}

export const retrieveAccount: ApiHandler = ({ store, at: [id] }) => connectedAccountOf(store, id!)
export const listAccounts: ApiHandler = call => pageOfList(call, call.store.all('account') as (Stripe.Account & { created: number })[])
export const updateAccount: ApiHandler = ({ store, form, at: [id] }) => {
  const asked = validateParameters(z.strictObject({ email: textParameter.optional(), metadata: metadataParameter }), form)
  const account = connectedAccountOf(store, id!)
  const updated = store.put('account', {
    ...account,
    ...(asked.email && { email: asked.email }),
    metadata: { ...account.metadata, ...asked.metadata },
  })
  emitStripeEvent(store, 'account.updated', updated, account.id)
  return updated
}
