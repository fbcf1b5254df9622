import type { Form } from './form-encoding.ts'
import type { Store } from './store.ts'

/** One request to the API, past the door: its key was checked, its idempotency key was new. */
export interface ApiCall {
  store: Store
  /** What `:` stood for in the path. */
  at: string[]
  path: string
  form: Form
  /** Where the hosted pages are, without a trailing slash. */
  origin: string
}
export type ApiHandler = (call: ApiCall) => object
