declare global {
  interface Window {
    slowest: number
    shifted: number
  }
}

/** In the page: keeps the slowest interaction, and all that moved without one. A text, because what compiles us adds helpers that a page lacks. */
export const watch = `
  window.slowest = 0
  window.shifted = 0
  const each = (type, then) =>
    new PerformanceObserver(list => list.getEntries().forEach(then)).observe({ type, buffered: true, durationThreshold: 16 })
  each('event', entry => {
    if (entry.interactionId) window.slowest = Math.max(window.slowest, entry.duration)
  })
  each('layout-shift', entry => {
    if (!entry.hadRecentInput) window.shifted += entry.value
  })
`

/** In the page: waits for the frames that the last act brings, and for what is told of them. */
export async function settled() {
  for (let i = 0; i < 3; i++) await new Promise(requestAnimationFrame)
  await new Promise(done => setTimeout(done, 200))
  const { slowest } = window
  window.slowest = 0
  return slowest
}
