import { setTimeout as sleep } from 'node:timers/promises'
import { derivedId } from '../../modules/kernel/decider.ts'

/**
 * The JSON of a command's body without the setup token, or '' for a file. The idempotency key is derived from it, and the token differs on
 * every start.
 */
const bodyWithoutToken = (body: unknown) => (body instanceof Uint8Array ? '' : JSON.stringify({ ...(body as object), token: undefined }))

/** How often a request is sent at most if the server says that it is busy, for example with the same person's photo. */
const MAX_TRIES = 10

/** Calls the API as one person. */
export type DemoApiClient = <T = Record<string, never>>(method: string, path: string, body?: unknown, type?: string) => Promise<T>

/** Returns a function that creates an API client for one person. Each client sees the effects of all clients' earlier commands. */
export function createApiClientFactory(ask: (request: Request) => Response | Promise<Response>, origin: string) {
  /** The latest log position of any command. Every request sends it, so that each query sees the effects of all earlier commands. */
  let seen = -1n

  /** Creates a client that keeps one person's login cookie. Every attempt to seed the demo sends the same idempotency keys. */
  return function apiClient(who: string): DemoApiClient {
    let cookie = ''
    return async <T>(method: string, path: string, body?: unknown, type = 'application/json'): Promise<T> => {
      const send = () =>
        ask(
          new Request(`${origin}${path}`, {
            method,
            headers: {
              'sec-fetch-site': 'same-origin',
              'idempotency-key': derivedId('demo', who, method, path, bodyWithoutToken(body)),
              ...(cookie && { cookie }),
              ...(seen >= 0n && { 'x-seen': String(seen) }),
              ...(body !== undefined && { 'content-type': type }),
            },
            body: body instanceof Uint8Array ? (body as Uint8Array<ArrayBuffer>) : body === undefined ? undefined : JSON.stringify(body),
          }),
        )
      let answer = await send()
      for (let tries = 1; answer.status === 503 && answer.headers.has('retry-after') && tries < MAX_TRIES; tries++) {
        await sleep(Number(answer.headers.get('retry-after')) * 1000)
        answer = await send()
      }
      const text = await answer.text()
      if (!answer.ok) throw new Error(`The demo could not ${method} ${path}: ${answer.status} ${text}`)
      const position = BigInt(answer.headers.get('x-position') ?? -1)
      if (position > seen) seen = position
      const session = /(?:__Host-)?session=[\w-]+/.exec(answer.headers.get('set-cookie') ?? '')
      if (session) cookie = session[0]
      return (text ? JSON.parse(text) : undefined) as T
    }
  }
}
