/** Whether all cases of a sweep are to be tried, as `npm run sweep` does; `npm test` tries those that tell most. */
export const isSweep = Boolean(process.env.SWEEP)
