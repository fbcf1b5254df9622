import { isEmailOfAccount } from '../../modules/accounts/account-registration-and-authentication.ts'
import { BLOCKED_EMAIL_DOMAIN_MESSAGE, hasBlockedEmailDomain } from '../../modules/leads/blocked-email-domains.ts'
import { leadsContract as contract, NewLead } from '../../modules/leads/contract.ts'
import { isDisposableEmail } from '../../modules/leads/disposable-email.ts'
import { saveLead } from '../../modules/leads/lead-table.ts'
import { isMobileUserAgent } from '../mobile-user-agent.ts'
import type { AppDependencies } from './app-dependencies.ts'
import { invalidField } from './problem.ts'
import { isStorableJson } from './request-body.ts'
import { routesOfContract } from './routing.ts'

export const leadRoutes = routesOfContract(contract, {
  'POST /api/landing-page/leads': async ({ deps, body, address }) => {
    await deps.limits.take('leads', address)
    // A bot filled in the honeypot field. It gets an ordinary reply, so that it does not learn that it was detected.
    if (body.not_for_humans) return { alreadyExists: false }
    if (isDisposableEmail(body.email)) throw invalidField('email', BLOCKED_EMAIL_DOMAIN_MESSAGE)
    return { alreadyExists: await saveLead(deps.sql, body.email, body.metadata ?? {}, deps.clock()) }
  },

  'POST /api/landing-page/start': async ({ deps, body, address, request }) => {
    const form = new URLSearchParams(new TextDecoder().decode(body))
    const email = form.get('email')?.trim() ?? ''
    const next = (step: Record<string, string>) =>
      new Response(null, { status: 303, headers: { location: `/start?${new URLSearchParams(step)}` } })
    if (form.get('not_for_humans')) return next({ step: 'role', email: email.slice(0, 254) })
    const parsedEmail = NewLead.shape.email.safeParse(email)
    if (!parsedEmail.success || !isStorableJson(email)) return next({ step: 'email', email: email.slice(0, 254) })
    if (hasBlockedEmailDomain(email)) return next({ step: 'email', email, why: 'blocked' })
    return next({ step: await stepAfterEmail(deps, email, address, request.headers), email })
  },
})

/**
 * The step after the email step of `/start`, the sign-up that works without scripts: the login if the email has an account, otherwise (even
 * after an error) the role. Saves an email without an account as a lead, unless it is disposable.
 */
async function stepAfterEmail(deps: AppDependencies, email: string, address: string, headers: Headers): Promise<'login' | 'role'> {
  try {
    await deps.limits.take('check-email', address)
    if (await isEmailOfAccount(deps.sql, email)) return 'login'
    await deps.limits.take('leads', address)
    const userAgent = headers.get('user-agent')?.slice(0, 1000) ?? ''
    const language = headers.get('accept-language')?.split(',')[0]?.slice(0, 100) ?? ''
    const metadata = {
      source: 'landing-page',
      timestamp: deps.clock().toISOString(),
      userAgent,
      language,
      isMobile: isMobileUserAgent(userAgent),
    }
    if (!isDisposableEmail(email)) await saveLead(deps.sql, email, metadata, deps.clock())
  } catch (error) {
    deps.log.warn({ err: error }, 'an email address could not be checked or saved as a lead')
  }
  return 'role'
}
