/** Resolves or rejects as `work` does, but resolves after `ms` milliseconds at the latest; `work` itself is not canceled. */
export const waitAtMost = (ms: number, work: Promise<unknown>) => Promise.race([work, new Promise(done => setTimeout(done, ms))])
