import type { ErrandHandler, OutboxOptions } from '../../modules/jobs/outbox.ts'

type ErrandHandlers = Record<string, ErrandHandler>
type Limits = Pick<OutboxOptions, 'hungAfter' | 'atOnce'>
interface OutboxPartition {
  handlers: ErrandHandlers
  limits: Limits
}

/**
 * An export reads every original of its person and renders the stills of every review. That can take hours if there are gigabytes in a slow
 * store, or hundreds of reviews. If a running export counted as hung, the outbox would start it a second time. Few run at a time, because
 * each uses the memory and processor of several requests.
 */
const EXPORT_LIMITS: Limits = { hungAfter: 6 * 3600_000, atOnce: 2 }

/**
 * The deletion of an account deletes each of its files and cards, one after the other. Several deletions are due at the same time if
 * `deleteDataPastRetention` finds several expired accounts.
 */
const DELETION_LIMITS: Limits = { hungAfter: 3600_000, atOnce: 2 }

/**
 * Kinds of errands, grouped by the provider that performs them: mail, payment, object store. Exports and deletions of accounts are separate
 * because they take long.
 */
const PARTITIONS: { kinds: RegExp; limits: Limits }[] = [
  { kinds: /^letter\./, limits: {} },
  { kinds: /^(payment|package|card|payout|stripe)\./, limits: {} },
  { kinds: /^(media|voices)\./, limits: {} },
  { kinds: /^export\./, limits: EXPORT_LIMITS },
  { kinds: /^(account|guardian)\.delete/, limits: DELETION_LIMITS },
]

/** Partitions the outbox by provider, as bulkheads: errands waiting for an unresponsive provider do not delay errands for others. */
export function outboxPartitions(all: ErrandHandlers): OutboxPartition[] {
  const partitionOf = (kind: string) => PARTITIONS.find(({ kinds }) => kinds.test(kind))
  return [...Map.groupBy(Object.entries(all), ([kind]) => partitionOf(kind))].map(([partition, handlers]) => ({
    handlers: Object.fromEntries(handlers),
    limits: partition?.limits ?? {},
  }))
}
