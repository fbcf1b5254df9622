import type { FaultControl } from '../fault-control.ts'
import type { Store } from '../store.ts'
import { html, type Markup } from './html.ts'

/** Somebody at one of our pages. */
export interface PageRequest {
  store: Store
  control: FaultControl
  origin: string
  method: string
  /** What `:` stood for in the path. */
  at: string[]
  /** What a form sent; empty when the page is only looked at. */
  form: URLSearchParams
  webhookUrl: string
  resend(event: string): void
}

export type PageAnswer =
  | { redirect: string }
  | {
      title: string
      body: Markup
      status?: number
      /** Where its forms may lead in the end, beside our own pages. */
      leadsTo?: (string | null | undefined)[]
    }

/** A page with a sentence on it and, maybe, one way out. */
export const noticePage = (
  title: string,
  text: string,
  o: { status?: number; link?: { href: string; label: string } } = {},
): PageAnswer => ({
  title,
  status: o.status ?? 200,
  body: html`<main class="narrow">
    <h1>${title}</h1>
    <p>${text}</p>
    ${o.link && html`<p><a class="button" href="${o.link.href}">${o.link.label}</a></p>`}
  </main>`,
})

export const notFound = noticePage('Page not found', 'There is nothing at this address. The link may have been cut short.', { status: 404 })
