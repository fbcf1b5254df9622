/** `requestIdleCallback`, or a timer where the browser (Safari) has none. */
export const runWhenIdle: (then: () => void, options: { timeout: number }) => unknown =
  globalThis.requestIdleCallback ?? (then => setTimeout(then))
