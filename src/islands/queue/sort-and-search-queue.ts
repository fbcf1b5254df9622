import type { QueuedSession } from '../../../modules/folders/contract.ts'

export const QUEUE_ORDERS = [
  ['oldest', 'Oldest first'],
  ['newest', 'Newest first'],
  ['player', 'By player'],
] as const
export type QueueOrder = (typeof QUEUE_ORDERS)[number][0]

type Line = Pick<QueuedSession, 'name' | 'player' | 'message'>

/** Sorts sessions, which must be passed oldest first. When sorted by player, each player's sessions stay oldest first. */
export function sortQueue<S extends Line>(queue: readonly S[], order: QueueOrder): S[] {
  if (order === 'newest') return queue.toReversed()
  return order === 'player' ? queue.toSorted((a, b) => a.player.name.localeCompare(b.player.name, 'en')) : [...queue]
}

/** The sessions whose player, folder or message contains every word of the search. */
export function searchQueue<S extends Line>(queue: readonly S[], search: string): S[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  return queue.filter(({ player, name, message }) => {
    const text = `${player.name} ${name} ${message ?? ''}`.toLowerCase()
    return words.every(word => text.includes(word))
  })
}

/**
 * What the queue says about a search: that waiting sessions are still being loaded, or that nothing matches. Otherwise undefined, also if
 * nothing matches but not all waiting sessions could be loaded.
 */
export function searchLoadingOrNoMatchText(
  search: string,
  found: { isLoading: boolean; matches: number; hasMoreWaiting: boolean; hasMoreDelivered: boolean },
): string | undefined {
  if (found.isLoading) return 'Loading all waiting sessions…'
  if (found.matches || found.hasMoreWaiting) return undefined
  return found.hasMoreDelivered ? `No session matches “${search}” so far.` : `No session matches “${search}”.`
}
