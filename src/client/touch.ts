const touches = ['pointerenter', 'focusin', 'touchstart', 'change'] as const
const acts = ['click', 'submit'] as const

/**
 * `client:touch` hydrates an island when it is first touched: pointed at, focused, tapped or changed; `client:touch="query"` at
 * once when the address carries a query. Nothing done meanwhile is lost: a click or a submit waits until the island
 * says `alive` (`useAlive`), and is then done again; typed text stays in its fields.
 */
export default (load: () => Promise<() => Promise<void>>, options: { value?: unknown }, island: HTMLElement) => {
  let waiting: (() => void) | undefined
  let waking = false

  async function wake() {
    if (waking) return
    waking = true
    for (const type of touches) island.removeEventListener(type, wake, true)
    island.addEventListener('alive', release, { once: true })
    const hydrate = await load()
    await hydrate()
  }
  function hold(e: Event) {
    const target = e.target as HTMLElement
    wake()
    // Links work by themselves; fields keep what is done to them; a submit button's click goes on to be a submit.
    if (e.type === 'click' && target.closest('a[href], input, textarea, select, label, summary, [type=submit]')) return
    e.preventDefault()
    e.stopPropagation()
    const { submitter } = e as SubmitEvent
    // Not click(): what was tapped may be the icon in a button, which has none.
    const again = () => target.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }))
    waiting = () => (e.type === 'submit' ? (target as HTMLFormElement).requestSubmit(submitter) : again())
  }
  function release() {
    for (const type of acts) island.removeEventListener(type, hold, true)
    setTimeout(() => waiting?.())
  }

  for (const type of touches) island.addEventListener(type, wake, { capture: true, passive: true })
  for (const type of acts) island.addEventListener(type, hold, true)
  if (options.value === 'query' && location.search) wake()
}
