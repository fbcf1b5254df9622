import { v7 } from 'uuid'
import { ApiError, type CallArgs, callApi, type Reply } from './api.ts'
import type { ApiContracts } from './contracts.ts'

/** For each resource, the last command whose outcome is unknown because its response has not arrived or was lost. */
const undecidedCommands = new Map<string, { call: string; key: string }>()

/** Whether an error means that the server has refused the command, so that another try is a new command. */
const isDecided = (error: unknown) => error instanceof ApiError && error.status < 500 && error.status !== 429

/**
 * Calls the API with an idempotency key. After a lost response, the same call sends the same key again, so that the server executes it only
 * once. A different call about the same resource (the same path parameters, or the same endpoint if it has none) gets a new key.
 * @throws ApiError, whose message can be shown
 */
export async function sendCommand<K extends keyof ApiContracts & string>(endpoint: K, ...[input]: CallArgs<K>): Promise<Reply<K>> {
  const { params } = (input ?? {}) as { params?: object }
  const resource = params ? JSON.stringify(params) : endpoint
  const thisCall = JSON.stringify([endpoint, input])
  const before = undecidedCommands.get(resource)
  const key = before?.call === thisCall ? before.key : v7()
  undecidedCommands.set(resource, { call: thisCall, key })
  const settle = () => undecidedCommands.get(resource)?.key === key && undecidedCommands.delete(resource)
  try {
    const reply = await callApi(endpoint, ...([input ?? {}, { idempotencyKey: key }] as unknown as CallArgs<K>))
    settle()
    return reply
  } catch (error) {
    if (isDecided(error)) settle()
    throw error
  }
}
