/**
 * Returns a function that formats dates and times in American English, in the local time zone unless it is given another. The Intl
 * formatter is created on first use, because creating one takes 20 ms on a slow phone.
 */
export function dateFormatter(options: Intl.DateTimeFormatOptions): (at: Date | number, timeZone?: string) => string {
  let format: Intl.DateTimeFormat | undefined
  let zoneOfFormat: string | undefined
  return (at, timeZone) => {
    if (!format || zoneOfFormat !== timeZone) {
      format = new Intl.DateTimeFormat('en-US', { ...options, timeZone })
      zoneOfFormat = timeZone
    }
    return format.format(at)
  }
}
