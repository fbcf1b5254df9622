/** Preloaded into a server process. Appends the method and path of each call to Stripe's API to the file STRIPE_CALLS_FILE. */
import { subscribe } from 'node:diagnostics_channel'
import { appendFileSync } from 'node:fs'
import type { ClientRequest } from 'node:http'

/** Stripe's library sends requests to versions 1 and 2 of the API; no other provider has these paths. */
const STRIPE_PATH = /^\/v[12]\//

subscribe('http.client.request.start', message => {
  const { method, path } = (message as { request: ClientRequest }).request
  if (STRIPE_PATH.test(path)) appendFileSync(process.env.STRIPE_CALLS_FILE!, `${method} ${path}\n`)
})
