/** A finger that trembles does not scroll, px. */
const TREMBLE = 8
const PHONE = matchMedia('(max-width: 767.98px)')
/** What one presses or watches. */
const WANTED = 'a, button, input, select, textarea, label, summary, video, img, [data-bar]'

/** Whether there is something to press or to watch where the button would lie. */
function covers(place: HTMLElement) {
  // Where it lies when it is not away.
  const { width, height } = place.getBoundingClientRect()
  const { right, bottom } = getComputedStyle(place)
  const [left, top] = [innerWidth - Number.parseFloat(right) - width, innerHeight - Number.parseFloat(bottom) - height]
  const within = [0, 0.5, 1].flatMap(x => [0, 0.5, 1].map(y => [left + width * x, top + height * y] as const))
  return within.some(([x, y]) => document.elementsFromPoint(x, y).some(e => !place.contains(e) && e.closest(WANTED)))
}

/**
 * The chat's button gives way to what one reads or presses: on a phone it is below the edge while one reads on, and anywhere if it would lie on
 * something that is pressed or watched; at the end of a page there is room for it.
 */
export function giveWay(place: HTMLElement) {
  let last = scrollY
  let down = false
  let asked = false
  let settled: ReturnType<typeof setTimeout>
  const look = () => {
    asked = false
    place.toggleAttribute('data-away', (down && PHONE.matches) || covers(place))
  }
  const soon = () => {
    if (!asked) requestAnimationFrame(look)
    asked = true
    // And once more for what a scroll brings, such as a bar that comes into its place.
    clearTimeout(settled)
    settled = setTimeout(look, 200)
  }
  const scrolled = () => {
    const end = scrollY + innerHeight >= document.documentElement.scrollHeight - 1
    const moved = scrollY - last
    if (end || Math.abs(moved) >= TREMBLE) {
      last = scrollY
      down = moved > 0 && !end
    }
    soon()
  }
  addEventListener('scroll', scrolled, { passive: true })
  addEventListener('resize', soon)
  // What comes and goes on the page without a scroll: an answer that is there, a panel that opens.
  new ResizeObserver(soon).observe(document.body)
  soon()
}
