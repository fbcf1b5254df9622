/** So long a page that is looked at may take to be painted, ms, and so long its pictures may take then. */
const PAINT = 3000
const PICTURES = 1000

const atMost = (ms: number, what: Promise<unknown>) => Promise.race([what, new Promise(done => setTimeout(done, ms))])

const painted = () => new Promise(done => new PerformanceObserver(done).observe({ type: 'paint', buffered: true }))
/** Those that are looked at first are there, or failed. */
const pictured = () =>
  Promise.allSettled([...document.images].filter(({ src, loading }) => src && loading !== 'lazy').map(image => image.decode()))
const framed = () => new Promise(done => requestAnimationFrame(() => setTimeout(done)))
const pressed = () => new Promise(done => addEventListener('pointerdown', done, { once: true, capture: true }))

/**
 * Resolves once what a page came with is seen, its pictures among it: on a slow line that goes before the scripts, unless somebody acts
 * already. At once where it came empty, or is not looked at: there is nothing to see first.
 */
export async function afterFirstPaint() {
  if (document.hidden || !('told' in document.documentElement.dataset)) return
  await Promise.race([pressed(), atMost(PAINT, painted()).then(() => atMost(PICTURES, pictured().then(framed)))])
}
