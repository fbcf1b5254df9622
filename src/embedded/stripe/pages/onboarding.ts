import { connectedAccountOf, consumeAccountLink, submitOnboardingDetails } from '../resources/accounts.ts'
import { renderFormField } from './form-field.ts'
import { html } from './html-template-and-formatting.ts'
import { notFoundPage, noticePage, type SandboxPageRequest, type SandboxPageResponse } from './page-request-and-response.ts'

/** Opens a single-use link. A used or expired link redirects to the page that creates a new one. */
export function openOnboardingLink({ store, at }: SandboxPageRequest): SandboxPageResponse {
  const link = store.get('link', at[1]!)
  if (!link || link.account !== at[0]) return notFoundPage
  const opened = store.transaction(() => consumeAccountLink(store, link.id))
  return { redirect: opened ? `/onboarding/${opened.id}` : link.refreshUrl }
}

const fields = [
  { name: 'first', label: 'Legal first name', test: 'Jenny', more: 'autocomplete="given-name"' },
  { name: 'last', label: 'Legal last name', test: 'Rosen', more: 'autocomplete="family-name"' },
  { name: 'birth', label: 'Date of birth', test: '1990-01-01', more: 'type="date" autocomplete="bday"' },
  { name: 'ssn', label: 'Last 4 digits of the SSN', test: '0000', more: 'inputmode="numeric" maxlength="4"' },
  { name: 'routing', label: 'Bank routing number', test: '110000000', more: 'inputmode="numeric" maxlength="9"' },
  { name: 'account', label: 'Bank account number', test: '000123456789', more: 'inputmode="numeric" maxlength="17"' },
] as const

const wrong = (name: string, value: string) => {
  if (!value) return 'Fill this in.'
  if (name === 'ssn' && !/^\d{4}$/.test(value)) return 'Enter four digits.'
  if (name === 'routing' && !/^\d{9}$/.test(value)) return 'Enter the nine digits.'
  if (name === 'account' && !/^\d{4,17}$/.test(value)) return 'Enter 4 to 17 digits.'
}

/**
 * The form where an instructor enters personal and bank details. The sandbox stores only that the form was submitted, and whether it
 * contained a bank account.
 */
export function handleOnboardingPage({ store, at, method, form }: SandboxPageRequest): SandboxPageResponse {
  const link = store.get('link', at[0]!)
  if (link?.kind !== 'onboarding-page') return notFoundPage
  if (link.expires < Date.now())
    return noticePage('This page has expired', 'Go back and start again.', {
      status: 410,
      link: { href: link.refreshUrl, label: 'Go back' },
    })
  const action = form.get('action')
  if (method === 'POST' && action === 'leave') return { redirect: link.returnUrl }
  const without = action === 'without-bank'
  const value = (name: string) => (form.get(name) ?? '').trim()
  const asked = fields.filter(f => !(without && (f.name === 'routing' || f.name === 'account')))
  const errors =
    method === 'POST' && action !== 'fill'
      ? new Map(asked.flatMap(f => (wrong(f.name, value(f.name)) ? [[f.name, wrong(f.name, value(f.name))!] as const] : [])))
      : new Map<string, string>()
  if (method === 'POST' && action !== 'fill' && errors.size === 0) {
    store.transaction(() => submitOnboardingDetails(store, link.account, { bank: !without }))
    return { redirect: link.returnUrl }
  }
  const { email } = connectedAccountOf(store, link.account)
  const first = errors.keys().next().value
  return {
    title: 'Get paid',
    status: errors.size ? 422 : 200,
    leadsTo: [link.returnUrl],
    body: html`<main class="narrow">
      <p class="eyebrow">DiamondLink pays you through Stripe</p>
      <h1>Get paid</h1>
      <p class="soft">${email ? `For ${email}. ` : ''}Do not enter real details: use the test details.</p>
      <form class="card" method="post" novalidate>
        ${first && html`<p class="alert" role="alert">Check the fields marked below.</p>`}
        ${fields.map(f =>
          renderFormField({
            name: f.name,
            label: f.label,
            more: f.more,
            value: action === 'fill' ? f.test : value(f.name),
            focus: first === f.name,
            ...(errors.has(f.name) && { error: errors.get(f.name)! }),
          }),
        )}
        <div class="stack">
          <button class="button" name="action" value="submit">Submit details</button>
          <button class="button quiet" name="action" value="fill">Use test details</button>
          <button class="button quiet" name="action" value="without-bank">Submit without a bank account</button>
          <button class="button plain" name="action" value="leave">Leave unfinished</button>
        </div>
      </form>
    </main>`,
  }
}
