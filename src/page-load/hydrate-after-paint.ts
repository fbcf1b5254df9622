import { afterFirstPaint } from './first-paint.ts'
import hydrateOnInteraction from './hydrate-on-interaction.ts'
import { hasPreloadedPage } from './preloaded-queries.ts'

/**
 * `client:after-paint` hydrates an island once the browser has painted what the server rendered. Clicks, keys and submits that come earlier wait
 * and are replayed, as in `hydrate-on-interaction.ts`. A page without answers has nothing to paint first, so its island hydrates at once.
 */
export default async (load: () => Promise<() => Promise<void>>, _: unknown, island: HTMLElement) => {
  if (!hasPreloadedPage()) return (await load())()
  hydrateOnInteraction(() => afterFirstPaint().then(load), {}, island)
  // Stands in for the first interaction.
  island.dispatchEvent(new Event('pointerenter'))
}
