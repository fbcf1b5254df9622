/** Calls `map` for each item, for up to `batchSize` items at a time. Resolves to the results in the order of the items. */
export async function mapInBatches<T, R>(items: readonly T[], batchSize: number, map: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  for (let i = 0; i < items.length; i += batchSize) results.push(...(await Promise.all(items.slice(i, i + batchSize).map(map))))
  return results
}
