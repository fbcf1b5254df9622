/** Calls when the page has nothing else to do, at the latest after so many ms; where the browser cannot tell, soon. */
export const whenIdle: (then: () => void, within: { timeout: number }) => unknown =
  globalThis.requestIdleCallback ?? (then => setTimeout(then))
