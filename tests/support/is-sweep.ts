/** Whether to try all cases, as `npm run sweep` does; `npm test` tries only the most important ones. */
export const isSweep = Boolean(process.env.SWEEP)
