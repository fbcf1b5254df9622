import { afterFirstPaint } from './first-paint.ts'
import touch from './hydrate-on-interaction.ts'

/**
 * `client:after-paint`: an island that wakes by itself once what the page came with is seen; what is done meanwhile waits (`hydrate-on-interaction.ts`). Where the
 * page came empty there is nothing to see first.
 */
export default async (load: () => Promise<() => Promise<void>>, _: unknown, island: HTMLElement) => {
  if (!('told' in document.documentElement.dataset)) return (await load())()
  touch(() => afterFirstPaint().then(load), {}, island)
  // As the first touch would.
  island.dispatchEvent(new Event('pointerenter'))
}
