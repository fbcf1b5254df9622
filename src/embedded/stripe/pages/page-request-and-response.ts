import type { SandboxStore } from '../store.ts'
import type { FaultInjector } from '../test-controls.ts'
import { html, type SafeHtml } from './html-template-and-formatting.ts'

export interface SandboxPageRequest {
  store: SandboxStore
  faultInjector: FaultInjector
  origin: string
  method: string
  /** The values of the `:` placeholders in the path, in order. */
  at: string[]
  /** The submitted form; empty for a GET request. */
  form: URLSearchParams
  webhookUrl: string
  resend(event: string): void
}

export type SandboxPageResponse =
  | { redirect: string }
  | {
      title: string
      body: SafeHtml
      status?: number
      /** URLs to which the page's forms may finally redirect, in addition to the sandbox's own pages. */
      leadsTo?: (string | null | undefined)[]
    }

/** A page with a sentence and, optionally, a link that looks like a button. */
export const noticePage = (
  title: string,
  text: string,
  o: { status?: number; link?: { href: string; label: string } } = {},
): SandboxPageResponse => ({
  title,
  status: o.status ?? 200,
  body: html`<main class="narrow">
    <h1>${title}</h1>
    <p>${text}</p>
    ${o.link && html`<p><a class="button" href="${o.link.href}">${o.link.label}</a></p>`}
  </main>`,
})

export const notFoundPage = noticePage('Page not found', 'There is nothing at this address. The link may have been cut short.', {
  status: 404,
})
