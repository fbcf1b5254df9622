/** Milliseconds as a clock: 0:07, 12:40, 1:02:03. */
export function formatMillisecondsAsClock(milliseconds: number): string {
  const all = Math.max(0, Math.floor(milliseconds / 1000))
  const [hours, minutes, seconds] = [Math.floor(all / 3600), Math.floor(all / 60) % 60, all % 60]
  const two = (n: number) => String(n).padStart(2, '0')
  return hours ? `${hours}:${two(minutes)}:${two(seconds)}` : `${minutes}:${two(seconds)}`
}

/** The length of a clip or recording as a clock, at least 0:01. */
export const formatDurationMsAsClock = (milliseconds: number) => formatMillisecondsAsClock(Math.max(1000, milliseconds))

/** Milliseconds as a clock with hundredths of a second, for use where single frames matter: 0:07.43. */
export const formatClockHundredths = (milliseconds: number) =>
  `${formatMillisecondsAsClock(milliseconds)}.${String(Math.floor((Math.max(0, milliseconds) % 1000) / 10)).padStart(2, '0')}`

/** Bytes in the unit that people would use: 640 KB, 45 MB, 1.2 GB (1 KB = 1024 bytes). */
export function formatBytes(bytes: number): string {
  if (bytes < 1024 * 1024) return `${Math.max(1, Math.round(bytes / 1024))} KB`
  const mb = bytes / 1024 / 1024
  if (mb < 1024) return `${mb < 10 ? mb.toFixed(1) : Math.round(mb)} MB`
  return `${(mb / 1024).toFixed(1)} GB`
}

/** Seconds left, rounded so that the words rarely change: 'a few seconds left', '40 s left', '3 min left'. */
export function formatTimeLeft(seconds: number): string {
  if (seconds < 5) return 'a few seconds left'
  if (seconds < 60) return `${Math.ceil(seconds / 5) * 5} s left`
  if (seconds < 3600) return `${Math.ceil(seconds / 60)} min left`
  const minutes = Math.round(seconds / 60)
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min left`
}
