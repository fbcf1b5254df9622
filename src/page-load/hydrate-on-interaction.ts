const HYDRATING_EVENTS = ['pointerenter', 'focusin', 'touchstart', 'change'] as const
const REPLAYED_EVENTS = ['click', 'submit', 'keydown'] as const
const FIELDS = 'input,textarea,select'
/** Keys whose effect needs the island's script, so they are replayed after hydration. */
const SCRIPTED_KEYS = /^(Arrow\w+|Home|End|Escape)$/
/** Hydration is retried this long after a failed load, even without an interaction. */
const HYDRATION_RETRY_MS = 3000

/** Preloads all modules of an island in parallel, not one import level at a time. `modulepreload.ts` lists them in `data-modules`. */
export function preloadIslandModules(island: HTMLElement) {
  for (const href of island.dataset.modules?.split(' ') ?? [])
    document.head.append(Object.assign(document.createElement('link'), { rel: 'modulepreload', href }))
}

/**
 * `client:interaction` hydrates an island when somebody first points at it, focuses it, taps it or changes a field;
 * `client:interaction="query"` hydrates it immediately if the page's URL has a query. The browser requests all modules of the island in
 * parallel and runs React first. Clicks, key presses and submits before hydration are held until the island reports that it is hydrated
 * (`useSignalHydration`), and are then replayed in order; typed text stays in its fields.
 */
export default (load: () => Promise<() => Promise<void>>, options: { value?: unknown }, island: HTMLElement) => {
  const heldEvents: (() => void)[] = []
  let hasHeldSubmit = false
  let isHydrating = false

  async function startHydration() {
    if (isHydrating) return
    isHydrating = true
    island.addEventListener('hydrated', replayHeldEvents, { once: true })
    preloadIslandModules(island)
    // React runs before the island's own modules, so that the browser can handle input in between. Run together, React and the modules of
    // the login page kept a slow phone from responding for 200 ms. If this import fails, `load` imports React again, and reports the error
    // if that fails, too.
    const hydrate = await import(/* @vite-ignore */ island.getAttribute('renderer-url')!).then(load, load)
    await hydrate()
  }
  function holdEvent(e: Event) {
    const target = e.target as HTMLElement
    startHydration()
    if (e instanceof KeyboardEvent) {
      if (!SCRIPTED_KEYS.test(e.key) || target.closest(FIELDS)) return
      heldEvents.push(() => target.dispatchEvent(new KeyboardEvent('keydown', e)))
    } else if (e.type === 'click') {
      // Links work without scripts, fields keep their input, and a click on a submit button becomes a submit event.
      if (target.closest(`a[href],label,summary,[type=submit],${FIELDS}`)) return
      showBusy(target.closest('button'))
      // Not `click()`, because the SVG in a button does not have that method.
      heldEvents.push(() => target.dispatchEvent(new MouseEvent('click', e)))
    } else {
      const { submitter } = e as SubmitEvent
      showBusy(submitter)
      if (!hasHeldSubmit) heldEvents.push(() => (target as HTMLFormElement).requestSubmit(submitter))
      hasHeldSubmit = true
    }
    e.preventDefault()
    e.stopPropagation()
  }
  /** A pressed button looks busy immediately (`html-classes-and-busy-buttons.css`): on a slow connection, the script may take seconds. */
  const showBusy = (button: Element | null) => {
    if (button) button.ariaBusy = 'true'
  }
  function clearBusy() {
    for (const button of island.querySelectorAll('[aria-busy]')) button.ariaBusy = null
  }
  function replayHeldEvents() {
    clearBusy()
    for (const type of REPLAYED_EVENTS) island.removeEventListener(type, holdEvent, true)
    setTimeout(() => {
      for (const replay of heldEvents) replay()
    })
  }

  // Loading failed, and so did Astro's own retry. Hydration starts again on the next interaction or after a delay; the events held so far
  // are dropped.
  island.addEventListener('astro:hydration-error', () => {
    isHydrating = hasHeldSubmit = false
    heldEvents.length = 0
    clearBusy()
    setTimeout(startHydration, HYDRATION_RETRY_MS)
  })
  for (const type of HYDRATING_EVENTS) island.addEventListener(type, startHydration, { capture: true, passive: true })
  for (const type of REPLAYED_EVENTS) island.addEventListener(type, holdEvent, true)
  if (options.value === 'query' && location.search) startHydration()
}
