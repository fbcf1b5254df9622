import type { ErrandHandler, OutboxOptions } from '../../modules/jobs/outbox.ts'

type ErrandHandlers = Record<string, ErrandHandler>
interface OutboxPartition {
  handlers: ErrandHandlers
  limits: Pick<OutboxOptions, 'hungAfter' | 'atOnce'>
}

/**
 * First words of errand kinds, grouped by the provider that performs them: mail, payment, object store. Exports are separate because they
 * take minutes.
 */
const PROVIDERS = [['letter'], ['payment', 'package', 'card', 'payout', 'stripe'], ['media', 'voices'], ['export']]

/**
 * An export reads every original of its person, which can take hours: gigabytes from a slow store, or the stills of hundreds of reviews. If it
 * counted as hung meanwhile, it would be started again beside itself. Few run at a time, because each uses the memory and processor of several
 * requests.
 */
const EXPORT_LIMITS = { hungAfter: 6 * 3600_000, atOnce: 2 }

/** Partitions the outbox by provider, as bulkheads: errands that wait for a hanging provider do not delay those of the others. */
export function outboxPartitions(all: ErrandHandlers): OutboxPartition[] {
  const partitionOf = (kind: string) => PROVIDERS.findIndex(words => words.includes(kind.split('.')[0]!))
  return [...Map.groupBy(Object.entries(all), ([kind]) => partitionOf(kind))].map(([provider, handlers]) => ({
    handlers: Object.fromEntries(handlers),
    limits: PROVIDERS[provider]?.includes('export') ? EXPORT_LIMITS : {},
  }))
}
