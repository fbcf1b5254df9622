/** `requestIdleCallback`, or a timer in Safari, which does not have it. */
export const runWhenIdle: (then: () => void, options: { timeout: number }) => unknown =
  globalThis.requestIdleCallback ?? (then => setTimeout(then))
