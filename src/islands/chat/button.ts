/** A finger that trembles does not scroll, px. */
const TREMBLE = 8

/** The chat's button gives way while one reads on: it is back with the first move up, and at the end, where there is room for it. */
export function giveWay(place: HTMLElement) {
  let last = scrollY
  const scrolled = () => {
    const end = scrollY + innerHeight >= document.documentElement.scrollHeight - 1
    const down = scrollY - last
    if (!end && Math.abs(down) < TREMBLE) return
    last = scrollY
    place.toggleAttribute('data-away', down > 0 && !end)
  }
  addEventListener('scroll', scrolled, { passive: true })
}
