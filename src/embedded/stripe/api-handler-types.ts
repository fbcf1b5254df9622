import type { DecodedForm } from './decode-form.ts'
import type { SandboxStore } from './store.ts'

/** An API request whose API key has been checked and whose idempotency key, if any, is new. */
export interface SandboxApiCall {
  store: SandboxStore
  /** The values of the `:` placeholders in the path, in order. */
  at: string[]
  path: string
  form: DecodedForm
  /** The connected account on whose behalf the request is made (header `Stripe-Account`). */
  account?: string
  /** The origin of the hosted pages, without a trailing slash. */
  origin: string
}
export type ApiHandler = (call: SandboxApiCall) => object
