import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { payOutWholeBalance } from '../calculate-account-balance-and-pay-out.ts'
import { advanceClockHours, setPlatformStartingBalance } from '../clock-and-starting-balance.ts'
import { openDispute, settleDispute } from '../resources/disputes.ts'
import { setCardBehavior } from '../resources/payment-methods.ts'
import { settleRefund } from '../resources/refunds.ts'
import type { SandboxStore } from '../store.ts'
import { StripeError } from '../stripe-error.ts'
import type { FaultInjector } from '../test-controls.ts'
import { testControlSchema } from '../test-controls.ts'
import { handleBankAuthenticationPage } from './bank-authentication-page.ts'
import { handleBankPageReturn, handleCheckoutPage } from './checkout.ts'
import { expressDashboardPage } from './express-dashboard-page.ts'
import { html } from './html-template-and-formatting.ts'
import { handleOnboardingPage, openOnboardingLink } from './onboarding.ts'
import { overviewPage } from './overview.ts'
import { performSandboxOverviewAction } from './overview-actions.ts'
import { notFoundPage, noticePage, type SandboxPageRequest, type SandboxPageResponse } from './page-request-and-response.ts'
import { sandboxStylesheet } from './page-stylesheet.ts'

const pages: [RegExp, string[], (visit: SandboxPageRequest) => SandboxPageResponse][] = [
  [/^\/$/, ['GET'], overviewPage],
  [/^\/_\/(\w+)$/, ['POST'], performSandboxOverviewAction],
  [/^\/c\/pay\/(\w+)$/, ['GET', 'POST'], handleCheckoutPage],
  [/^\/c\/pay\/(\w+)\/return$/, ['GET'], handleBankPageReturn],
  [/^\/3ds\/(\w+)\/(\w+)$/, ['GET', 'POST'], handleBankAuthenticationPage],
  [/^\/setup\/e\/(\w+)\/([\w-]+)$/, ['GET'], openOnboardingLink],
  [/^\/onboarding\/([\w-]+)$/, ['GET', 'POST'], handleOnboardingPage],
  [/^\/express\/(\w+)\/([\w-]+)$/, ['GET'], expressDashboardPage],
]
const assets: Record<string, [string, string]> = {
  '/style.css': ['text/css; charset=utf-8', sandboxStylesheet],
  '/icon.svg': [
    'image/svg+xml',
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#3a4bcb"/><path d="M7 12h18M7 21h6" stroke="#fff" stroke-width="3" stroke-linecap="round"/></svg>',
  ],
}
const version = createHash('sha256').update(sandboxStylesheet).digest('hex').slice(0, 8)

/** Creates the handler of `/_control`, for tests, and of the hosted pages, which work without scripts and load nothing from other hosts. */
export function newSandboxPages(o: {
  store: SandboxStore
  faultInjector: FaultInjector
  webhooks: { resend(event: string): void }
  origin: () => string
  webhookUrl: string
  changed: () => void
}) {
  const { store, faultInjector } = o

  return (req: IncomingMessage, res: ServerResponse, url: URL, body: string) => {
    const method = req.method === 'HEAD' ? 'GET' : req.method!
    const send = (status: number, type: string, content: string, more: Record<string, string> = {}) => {
      res.writeHead(status, { 'content-type': type, 'x-content-type-options': 'nosniff', 'cache-control': 'no-store', ...more })
      res.end(req.method === 'HEAD' ? undefined : content)
    }
    const asset = assets[url.pathname]
    if (asset && method === 'GET') return send(200, ...asset, { 'cache-control': 'max-age=31536000, immutable' })
    if (method !== 'GET' && isFromAnotherSite(req)) return send(403, 'text/plain', 'This request came from another site.')
    if (url.pathname === '/_control') return send(...answerControl(method, body))
    const show = (shown: SandboxPageResponse) => {
      if ('redirect' in shown) return send(303, 'text/plain', '', { location: shown.redirect })
      const leadsTo = (shown.leadsTo ?? []).flatMap(to => (to ? new URL(to).origin : []))
      send(shown.status ?? 200, 'text/html; charset=utf-8', document(shown), {
        // Chromium applies form-action to redirects after a form submission, too.
        'content-security-policy': `default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self' ${[...new Set(leadsTo)].join(' ')}; base-uri 'none'; frame-ancestors 'none'`,
        'referrer-policy': 'same-origin',
        'x-frame-options': 'DENY',
      })
    }
    const page = pages.find(([pattern]) => pattern.test(url.pathname))
    if (!page) return show(notFoundPage)
    const [pattern, methods, render] = page
    if (!methods.includes(method)) return send(405, 'text/plain', 'Method not allowed', { allow: methods.join(', ') })
    try {
      show(
        render({
          store,
          faultInjector,
          origin: o.origin(),
          method,
          at: pattern.exec(url.pathname)!.slice(1),
          form: new URLSearchParams(body),
          webhookUrl: o.webhookUrl,
          resend: o.webhooks.resend,
        }),
      )
    } catch (e) {
      if (!(e instanceof StripeError)) throw e
      show(e.status === 404 ? notFoundPage : noticePage('That did not work', e.message, { status: e.status }))
    } finally {
      if (method === 'POST') o.changed()
    }
  }

  /** Serves the control interface for tests: faults (DELETE removes them), card behavior, disputes, refunds, payouts, balance and clock. */
  function answerControl(method: string, body: string): [number, string, string] {
    const json = (status: number, content: object) => [status, 'application/json', JSON.stringify(content)] as [number, string, string]
    if (method === 'DELETE') faultInjector.reset()
    if (method === 'POST') {
      let given: unknown
      try {
        given = JSON.parse(body)
      } catch {
        return json(400, { message: 'Not JSON.' })
      }
      const asked = testControlSchema.safeParse(given)
      if (!asked.success) return json(422, { message: asked.error.message })
      const { calls, webhooks, cards = {}, disputes = [], prevented = [], outcomes = {}, refunds = {}, payouts = [] } = asked.data
      const { hours = 0, startingCents } = asked.data
      try {
        store.transaction(() => {
          for (const [id, number] of Object.entries(cards)) setCardBehavior(store, id, number)
          if (hours) advanceClockHours(store, hours)
          if (startingCents !== undefined) setPlatformStartingBalance(store, startingCents)
          for (const id of payouts) payOutWholeBalance(store, id)
          for (const id of disputes) openDispute(store, id, 'fraudulent')
          for (const id of prevented) openDispute(store, id, 'fraudulent', { prevented: true })
          for (const [id, outcome] of Object.entries(outcomes)) settleDispute(store, id, outcome)
          for (const [id, status] of Object.entries(refunds)) settleRefund(store, id, status)
        })
      } catch (e) {
        if (!(e instanceof StripeError)) throw e
        return json(400, { message: e.message })
      }
      if (calls) faultInjector.calls = calls
      if (webhooks) faultInjector.webhooks = webhooks
    }
    if (method !== 'GET') o.changed()
    return json(200, { calls: faultInjector.calls, webhooks: faultInjector.webhooks, waiting: store.all('delivery').length })
  }
}

/** Whether a form or script on another site sent this request (CSRF protection). */
function isFromAnotherSite(req: IncomingMessage) {
  const site = req.headers['sec-fetch-site']
  const origin = req.headers.origin
  if (site) return site !== 'same-origin' && site !== 'none'
  return origin !== undefined && (!URL.canParse(origin) || new URL(origin).host !== req.headers.host)
}

const document = ({ title, body }: Exclude<SandboxPageResponse, { redirect: string }>) =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title} · Stripe sandbox</title>
<link rel="icon" href="/icon.svg">
<link rel="stylesheet" href="/style.css?${version}">
</head>
<body>
<header><p class="band">Stripe sandbox: no real money moves</p></header>
${body}
</body>
</html>`.text
