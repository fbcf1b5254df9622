/** `requestIdleCallback`, or a timer where the browser (Safari) has none. */
export const whenIdle: (then: () => void, within: { timeout: number }) => unknown =
  globalThis.requestIdleCallback ?? (then => setTimeout(then))
