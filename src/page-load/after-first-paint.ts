import { hasPreloadedPageData } from './preloaded-responses-interface.ts'
import { waitAtMost } from './wait-at-most.ts'

/** How long to wait for the first paint of a visible page, and then for its pictures. */
const MAX_PAINT_WAIT_MS = 3000
const MAX_PICTURES_WAIT_MS = 1000

const firstPaint = () => new Promise(done => new PerformanceObserver(done).observe({ type: 'paint', buffered: true }))
/** Whether a picture counts as part of the first screen: it is in view, or it is not lazy, so the browser loads it anyway. */
function isOnFirstScreen(image: HTMLImageElement) {
  const { top, bottom } = image.getBoundingClientRect()
  return image.loading !== 'lazy' || (top < innerHeight && bottom > 0)
}
/** Resolves when all pictures of the first screen have been decoded or have failed. */
const picturesDecoded = () =>
  Promise.allSettled([...document.images].filter(image => image.src && isOnFirstScreen(image)).map(image => image.decode()))
const nextFrame = () => new Promise(done => requestAnimationFrame(() => setTimeout(done)))
const firstPress = () => new Promise(done => addEventListener('pointerdown', done, { once: true, capture: true }))

/**
 * Resolves once the browser has painted the server's HTML with its pictures, so that scripts do not compete with them on a slow connection.
 * Resolves earlier if the user presses something, and immediately if there is nothing to paint first: the server rendered no data into the
 * page, or the page is in a background tab. At the latest, resolves after `MAX_PAINT_WAIT_MS` plus `MAX_PICTURES_WAIT_MS`.
 */
export async function afterFirstPaint() {
  if (document.hidden || !hasPreloadedPageData()) return
  const painted = waitAtMost(MAX_PAINT_WAIT_MS, firstPaint())
  await Promise.race([firstPress(), painted.then(() => waitAtMost(MAX_PICTURES_WAIT_MS, picturesDecoded().then(nextFrame)))])
}
