import { v7 } from 'uuid'
import { ApiError, type CallArgs, call, type Reply } from './api.ts'
import type { Api } from './contracts.ts'

/** What was asked for last about each thing, where its outcome is not known: the answer was lost on the way. */
const unsure = new Map<string, { asked: string; key: string }>()

/** Whether the server understood and said yes or no. */
const decided = (error: unknown) => error instanceof ApiError && error.status < 500 && error.status !== 429

/**
 * Calls the API with a command's key. The same again after a lost answer is the same command, so it is done once; anything else about
 * the same thing (the path's parameters, else the endpoint) is a new one.
 * @throws ApiError, whose message can be shown
 */
export async function sendCommand<K extends keyof Api & string>(endpoint: K, ...[input]: CallArgs<K>): Promise<Reply<K>> {
  const { params } = (input ?? {}) as { params?: object }
  const thing = params ? JSON.stringify(params) : endpoint
  const asked = JSON.stringify([endpoint, input])
  const before = unsure.get(thing)
  const key = before?.asked === asked ? before.key : v7()
  unsure.set(thing, { asked, key })
  const settle = () => unsure.get(thing)?.key === key && unsure.delete(thing)
  try {
    const reply = await call(endpoint, ...([input ?? {}, { idempotencyKey: key }] as unknown as CallArgs<K>))
    settle()
    return reply
  } catch (error) {
    if (decided(error)) settle()
    throw error
  }
}
