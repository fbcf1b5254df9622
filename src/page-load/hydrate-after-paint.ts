import { afterFirstPaint } from './after-first-paint.ts'
import hydrateOnInteraction, { preloadIslandModules } from './hydrate-on-interaction.ts'
import { hasPreloadedPageData } from './preloaded-responses-interface.ts'

/**
 * `client:after-paint` hydrates an island once the browser has painted the server's HTML, or earlier if the user interacts with it. Earlier
 * clicks, keys and submits are held and replayed, as in `hydrate-on-interaction.ts`. A page without preloaded data has nothing to paint
 * first, so its island hydrates right away.
 */
export default async (load: () => Promise<() => Promise<void>>, _: unknown, island: HTMLElement) => {
  if (!hasPreloadedPageData()) {
    preloadIslandModules(island)
    return (await load())()
  }
  hydrateOnInteraction(load, {}, island)
  await afterFirstPaint()
  // Starts the hydration, and with it the download of React, as the user's first interaction would.
  island.dispatchEvent(new Event('pointerenter'))
}
