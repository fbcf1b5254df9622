import touch from './touch.ts'

/** A page that is looked at is painted within so long, ms; another is woken then. */
const PATIENCE = 3000

/** Resolves once the page is seen: what it came with goes first on a slow line. */
const seen = () =>
  new Promise<void>(done => {
    if (document.hidden) return done()
    setTimeout(done, PATIENCE)
    requestAnimationFrame(() => setTimeout(done))
  })

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
