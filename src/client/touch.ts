/**
 * Hydrates an island when it is first touched: pointed at, focused or tapped. What was done meanwhile is done again once
 * it lives: a click is repeated, a submit too; what was typed stays in its fields, and the island reads it from there.
 */
export default (load: () => Promise<() => Promise<void>>, _: unknown, island: HTMLElement) => {
  const touches = ['pointerenter', 'focusin', 'touchstart'] as const
  const acts = ['click', 'submit'] as const
  let pending: { target: HTMLElement; type: string; submitter?: HTMLElement | null } | undefined
  let waking = false

  const hold = (e: Event) => {
    const target = e.target as HTMLElement
    if (e.type === 'click' && (target.closest('a[href]') || target.matches('input, textarea, select, label'))) return
    // The submit button's click goes on to be a submit, so that the browser's own checks are made.
    if (e.type === 'click' && target.closest('[type=submit]')) return wake()
    e.preventDefault()
    e.stopPropagation()
    pending = { target, type: e.type, submitter: (e as SubmitEvent).submitter }
    wake()
  }
  const release = () => {
    for (const type of acts) island.removeEventListener(type, hold, true)
    if (!pending?.target.isConnected) return
    if (pending.type === 'submit') (pending.target as HTMLFormElement).requestSubmit(pending.submitter)
    else pending.target.click()
  }
  async function wake() {
    if (waking) return
    waking = true
    for (const type of touches) island.removeEventListener(type, wake, true)
    const hydrate = await load()
    island.addEventListener('alive', release, { once: true })
    await hydrate()
  }
  for (const type of touches) island.addEventListener(type, wake, { capture: true, passive: true })
  for (const type of acts) island.addEventListener(type, hold, true)
}
