import type { SandboxRecordKind, SandboxStore } from './store.ts'
import { invalidRequest } from './stripe-error.ts'

const kinds: Record<string, SandboxRecordKind> = {
  cus: 'customer',
  pm: 'payment_method',
  seti: 'setup_intent',
  pi: 'payment_intent',
  ch: 'charge',
  re: 'refund',
  tr: 'transfer',
  acct: 'account',
  dp: 'dispute',
  txn: 'balance_transaction',
}
type Json = Record<string, unknown>

/**
 * Returns a copy in which the ids at `paths` (`data.payment_intent`, `setup_intent.payment_method`) are replaced with their objects.
 * @throws StripeError if a path contains a property or an id that does not exist
 */
export function expandObjectPaths(store: SandboxStore, object: object, paths: string[]): object {
  return paths.reduce((root, path) => at(store, root as Json, path.split('.'), path) as object, object)
}

function at(store: SandboxStore, value: unknown, [name, ...rest]: string[], path: string): unknown {
  if (Array.isArray(value)) return value.map(v => at(store, v, [name!, ...rest], path))
  if (value === null || typeof value !== 'object') return value
  if (name === undefined) return value
  if (!(name in value)) throw invalidRequest(`This property cannot be expanded (${name}).`, undefined, `expand[${path}]`)
  const inner = (value as Json)[name]
  const opened = typeof inner === 'string' ? store.get(kinds[inner.split('_')[0]!] ?? 'charge', inner) : inner
  if (opened === undefined) throw invalidRequest(`This property cannot be expanded (${name}).`, undefined, `expand[${path}]`)
  return { ...value, [name]: rest.length ? at(store, opened, rest, path) : opened }
}
