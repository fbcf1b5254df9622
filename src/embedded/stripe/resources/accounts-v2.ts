import type Stripe from 'stripe'
import { z } from 'zod'
import type { ApiHandler } from '../api-handler-types.ts'
import { InvalidParameterError } from '../stripe-error.ts'
import { addOnboardingLink, connectedAccountOf, newAccount } from './accounts.ts'

/** Accounts in version 2 of Stripe's API, which uses JSON. They have a recipient configuration, and are stored as accounts of version 1. */

const text = z.string().min(1).max(5000)

const creation = z.strictObject({
  contact_email: z.email(),
  dashboard: z.literal('express'),
  identity: z.strictObject({ country: z.literal('us'), entity_type: z.literal('individual') }),
  configuration: z.strictObject({
    recipient: z.strictObject({
      capabilities: z.strictObject({
        stripe_balance: z.strictObject({ stripe_transfers: z.strictObject({ requested: z.literal(true) }) }),
      }),
    }),
  }),
  defaults: z.strictObject({
    currency: z.literal('usd').optional(),
    responsibilities: z.strictObject({ fees_collector: z.literal('application'), losses_collector: z.literal('application') }),
  }),
  metadata: z.record(z.string().max(40), z.string().max(500)).default({}),
})

function parseJson<S extends z.ZodType>(schema: S, form: unknown): z.output<S> {
  const parsed = schema.safeParse(form)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const param = issue!.path.join('.')
  throw new InvalidParameterError(`Invalid ${param}: ${issue!.message}`, 'invalid_fields', param)
}

/** The names of requirements in version 2, by their names in version 1. */
const DESCRIPTIONS: Record<string, string> = {
  'individual.first_name': 'identity.individual.given_name',
  'individual.last_name': 'identity.individual.surname',
  'individual.dob.day': 'identity.individual.date_of_birth.day',
  'individual.dob.month': 'identity.individual.date_of_birth.month',
  'individual.dob.year': 'identity.individual.date_of_birth.year',
  'individual.ssn_last_4': 'identity.individual.id_numbers.us_ssn_last_4',
  external_account: 'configuration.recipient.default_outbound_destination',
  'tos_acceptance.date': 'identity.attestations.terms_of_service.account.date',
  'tos_acceptance.ip': 'identity.attestations.terms_of_service.account.ip',
}

const toV2Account = (account: Stripe.Account) => {
  const due = account.requirements?.currently_due ?? []
  const status = account.capabilities?.transfers === 'active' ? 'active' : 'restricted'
  return {
    id: account.id,
    object: 'v2.core.account',
    applied_configurations: ['recipient'],
    configuration: {
      customer: null,
      merchant: null,
      recipient: { applied: true, capabilities: { stripe_balance: { stripe_transfers: { status, status_details: [] } } } },
    },
    contact_email: account.email,
    created: new Date((account.created ?? 0) * 1000).toISOString(),
    dashboard: 'express',
    livemode: false,
    metadata: account.metadata,
    requirements: {
      entries: due.map(name => ({
        awaiting_action_from: 'user',
        description: DESCRIPTIONS[name] ?? name,
        errors: [],
        impact: {},
        minimum_deadline: { status: 'currently_due' },
        requested_reasons: [{ code: 'routine_onboarding' }],
      })),
    },
  }
}

export const createAccountV2: ApiHandler = ({ store, form }) => {
  const { contact_email: email, metadata } = parseJson(creation, form)
  return toV2Account(store.put('account', newAccount({ email, metadata, capabilities: ['transfers'] })))
}

export const retrieveAccountV2: ApiHandler = ({ store, form, at: [id] }) => {
  parseJson(z.strictObject({ include: z.array(text).optional() }), form)
  return toV2Account(connectedAccountOf(store, id!))
}

export const createAccountLinkV2: ApiHandler = call => {
  const { account, use_case } = parseJson(
    z.strictObject({
      account: text,
      use_case: z.strictObject({
        type: z.literal('account_onboarding'),
        account_onboarding: z.strictObject({ return_url: z.url(), refresh_url: z.url() }),
      }),
    }),
    call.form,
  )
  const { return_url, refresh_url } = use_case.account_onboarding
  const { url, expires } = addOnboardingLink(call, account, { returnUrl: return_url, refreshUrl: refresh_url })
  const iso = (milliseconds: number) => new Date(milliseconds).toISOString()
  return { object: 'v2.core.account_link', account, created: iso(Date.now()), expires_at: iso(expires), livemode: false, url, use_case }
}
