import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'

/** A visitor gives up on a request, or on polling, after this time, in ms. */
const REQUEST_TIMEOUT_MS = 60_000
/** How many times a request is sent if every response is a 503, with the same idempotency key. Our pages give up after the third. */
const MAX_TRIES = 5
const RETRY_MS = 1000
/** The first and the longest pause between polls for a change; each pause is twice as long as the one before. */
const [FIRST_POLL_MS, MAX_POLL_MS] = [250, 2000]

/** Values for the placeholders of a route, for example `{ folder }` for `/api/folders/{folder}`. */
type Params = Record<string, string>

/** One person's browser, reduced to its cookies and its requests. */
export interface SimulatedVisitor {
  /** Calls the API. @throws Error if the response is not a success */
  call<T = Record<string, never>>(route: string, o?: { params?: Params; query?: string; body?: unknown }): Promise<T>
  /** Calls the API until `isExpected` holds for the reply; a 404 is fine until then. @throws Error on other errors, or after a minute */
  callUntil<T>(route: string, isExpected: (answer: T) => boolean, o?: { params?: Params }): Promise<T>
  /** Loads a page, for example `/player/folder/{folder}`. @throws Error unless the response is a complete page with status 200 */
  view(page: string, params?: Params): Promise<void>
  /** Position of the latest event in the log that this visitor has caused or learned about. */
  position: bigint
}

/** Creates visitors, and records their response times by route and what went wrong. */
export function createVisitorMeter(url: string) {
  const times = new Map<string, number[]>()
  const errors: string[] = []
  /** The number of replies from read models that were older than the visitor's own changes. */
  let stale = 0
  let unavailable = 0
  let isRecording = false

  async function send(route: string, path: string, cookie: string, init: RequestInit & { headers: Record<string, string> }) {
    const start = performance.now()
    const answer = await fetch(url + path, {
      ...init,
      headers: { ...init.headers, cookie, origin: url, 'sec-fetch-site': 'same-origin' },
      redirect: 'manual',
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
    })
    const text = await answer.text()
    if (isRecording) {
      const of = times.get(route) ?? []
      of.push(performance.now() - start)
      times.set(route, of)
      if (answer.headers.has('x-stale')) stale++
      if (answer.status === 503) unavailable++
    }
    return { answer, text }
  }

  function visitor(): SimulatedVisitor {
    let cookie = ''
    async function ask(route: string, { params = {}, query, body }: { params?: Params; query?: string; body?: unknown } = {}) {
      const [method, pattern] = route.split(' ') as [string, string]
      const path = fillIn(pattern, params) + (query ? `?${query}` : '')
      const key = randomUUID()
      const sendOnce = () =>
        send(route, path, cookie, {
          method,
          headers: {
            'x-seen': `${self.position}`,
            ...(method !== 'GET' && { 'idempotency-key': key }),
            ...(body !== undefined && { 'content-type': 'application/json' }),
          },
          ...(body !== undefined && { body: JSON.stringify(body) }),
        })
      let found = await sendOnce()
      for (let tries = 1; found.answer.status === 503 && tries < MAX_TRIES; tries++) {
        await sleep(RETRY_MS)
        found = await sendOnce()
      }
      const { headers } = found.answer
      cookie = /(?:__Host-)?session=[\w-]+/.exec(headers.get('set-cookie') ?? '')?.[0] ?? cookie
      const position = BigInt(headers.get('x-position') ?? -1)
      if (position > self.position) self.position = position
      return found
    }
    const self: SimulatedVisitor = {
      position: 0n,
      async call<T>(route: string, o = {}) {
        const { answer, text } = await ask(route, o)
        if (!answer.ok) throw new Error(`${route}: ${answer.status} ${text.slice(0, 300)}`)
        return (text ? JSON.parse(text) : undefined) as T
      },
      async callUntil<T>(route: string, isExpected: (answer: T) => boolean, o = {}) {
        const end = Date.now() + REQUEST_TIMEOUT_MS
        for (let pause = FIRST_POLL_MS; Date.now() < end; pause = Math.min(2 * pause, MAX_POLL_MS)) {
          const { answer, text } = await ask(route, o)
          if (answer.ok && isExpected(JSON.parse(text))) return JSON.parse(text) as T
          if (!answer.ok && answer.status !== 404) throw new Error(`${route}: ${answer.status} ${text.slice(0, 300)}`)
          await sleep(pause)
        }
        throw new Error(`${route} did not come to what was expected`)
      },
      async view(page, params = {}) {
        const cookies = [cookie, `seen=${self.position}`].filter(Boolean).join('; ')
        const { answer, text } = await send(`page ${page}`, fillIn(page, params), cookies, { headers: { accept: 'text/html' } })
        if (answer.status !== 200 || !text.includes('</html>')) throw new Error(`page ${page}: ${answer.status}`)
      },
    }
    return self
  }

  return {
    visitor,
    /** Starts recording; earlier requests were preparation. */
    startRecording: () => {
      isRecording = true
    },
    /** Awaits a visitor's actions; a failure is recorded, so that other visitors continue. @returns whether the actions succeeded */
    attempt: async (work: () => Promise<unknown>): Promise<boolean> => {
      try {
        await work()
        return true
      } catch (error) {
        errors.push(`${error}`)
        return false
      }
    },
    times,
    errors,
    staleAnswers: () => stale,
    /** The number of 503 responses. A call is sent up to `MAX_TRIES` times, a page view only once. */
    unavailableAnswers: () => unavailable,
  }
}

const fillIn = (pattern: string, params: Params) => pattern.replaceAll(/\{(\w+)\}/g, (_, name) => params[name]!)
