/** Whether to try all cases, as `npm run sweep` does; `npm test` tries only the most important ones. */
export const isSweepRun = Boolean(process.env.SWEEP)
