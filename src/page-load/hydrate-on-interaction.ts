import { afterNextPaint } from '../ui/next-paint.ts'

const touches = ['pointerenter', 'focusin', 'touchstart', 'change'] as const
const acts = ['click', 'submit', 'keydown'] as const
const fields = 'input, textarea, select'
/** So long a hand takes from reaching a thing to pressing it, ms. */
const AIM = 300
const files = (list?: string) => list?.split(' ') ?? []
/** Keys that do something by themselves only where a script listens. */
const keys = /^(Arrow\w+|Home|End|Escape)$/

/**
 * `client:interaction` hydrates an island when it is first touched: pointed at, focused, tapped or changed; `client:interaction="query"` at
 * once when the address carries a query. Its scripts are asked for together, and the long ones (`data-parts`, by `modulepreload.ts`) run one
 * by one. Nothing done meanwhile is lost: clicks, keys and a submit wait until the island reports `hydrated` (`useReportHydrated`), and are then
 * done again in their order; typed text stays in its fields.
 */
export default (load: () => Promise<() => Promise<void>>, options: { value?: unknown }, island: HTMLElement) => {
  const waiting: (() => void)[] = []
  let sent = false
  let waking = false
  let pressed = false
  let aimed = () => {}

  async function rested() {
    do await afterNextPaint()
    while (pressed)
  }
  async function wake(e?: Event) {
    if (waking) return
    waking = true
    for (const type of touches) island.removeEventListener(type, wake, true)
    island.addEventListener('hydrated', release, { once: true })
    await afterNextPaint()
    const parts = files(island.dataset.parts)
    for (const href of [...parts, ...files(island.dataset.rest)])
      document.head.append(Object.assign(document.createElement('link'), { rel: 'modulepreload', href }))
    // A mouse that came is about to press: nothing runs before it does, or rests.
    if ((e as PointerEvent | undefined)?.pointerType === 'mouse' && !pressed)
      await new Promise<void>(done => {
        aimed = done
        setTimeout(done, AIM)
      })
    // Each of what comes takes a slow phone several frames: a press ends and shows first.
    for (const part of parts) {
      await rested()
      // What failed is asked for again by `load`, which says so.
      await import(part).catch(() => {})
    }
    await rested()
    const hydrate = await load()
    await rested()
    await hydrate()
  }
  /** A press is over when what it did is seen. */
  async function letGo() {
    await afterNextPaint()
    pressed = false
  }
  function press() {
    pressed = true
    aimed()
    for (const type of ['pointerup', 'pointercancel']) addEventListener(type, letGo, { once: true, capture: true })
  }
  function hold(e: Event) {
    const target = e.target as HTMLElement
    wake()
    aimed()
    if (e instanceof KeyboardEvent) {
      if (!keys.test(e.key) || target.closest(fields)) return
      waiting.push(() => target.dispatchEvent(new KeyboardEvent('keydown', e)))
    } else if (e.type === 'click') {
      // Links work by themselves; fields keep what is done to them; a submit button's click goes on to be a submit.
      if (target.closest(`a[href], label, summary, [type=submit], ${fields}`)) return
      busy(target.closest('button'))
      // Not `click()`, which the picture in a button does not have.
      waiting.push(() => target.dispatchEvent(new MouseEvent('click', e)))
    } else {
      const { submitter } = e as SubmitEvent
      busy(submitter)
      if (!sent) waiting.push(() => (target as HTMLFormElement).requestSubmit(submitter))
      sent = true
    }
    e.preventDefault()
    e.stopPropagation()
  }
  /** A script takes seconds on a slow line: what was pressed looks at work at once (`tokens.css`). */
  const busy = (pressed: Element | null) => {
    if (pressed) pressed.ariaBusy = 'true'
  }
  function rest() {
    for (const pressed of island.querySelectorAll('[aria-busy]')) pressed.ariaBusy = null
  }
  function release() {
    rest()
    for (const type of acts) island.removeEventListener(type, hold, true)
    island.removeEventListener('pointerdown', press, true)
    setTimeout(() => {
      for (const act of waiting) act()
    })
  }

  // The line broke, twice: the next press asks again, in place of the one before, or the page does by itself.
  island.addEventListener('astro:hydration-error', () => {
    waking = sent = false
    waiting.length = 0
    rest()
    setTimeout(wake, 3000)
  })
  island.addEventListener('pointerdown', press, true)
  for (const type of touches) island.addEventListener(type, wake, { capture: true, passive: true })
  for (const type of acts) island.addEventListener(type, hold, true)
  if (options.value === 'query' && location.search) wake()
}
