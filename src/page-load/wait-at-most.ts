/** Resolves when the work has ended, or after `ms` milliseconds at the latest; the work itself is not canceled. */
export const waitAtMost = (ms: number, work: Promise<unknown>) => Promise.race([work, new Promise(done => setTimeout(done, ms))])
