import { seen } from './seen.ts'
import touch from './touch.ts'

/**
 * `client:screen`: an island that wakes by itself once what the page came with is seen; what is done meanwhile waits (`touch.ts`). Where the
 * page came empty there is nothing to see first.
 */
export default async (load: () => Promise<() => Promise<void>>, _: unknown, island: HTMLElement) => {
  if (!('told' in document.documentElement.dataset)) return (await load())()
  touch(() => seen().then(load), {}, island)
  // As the first touch would.
  island.dispatchEvent(new Event('pointerenter'))
}
