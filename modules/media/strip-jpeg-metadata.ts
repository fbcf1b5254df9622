const [START, END, SCAN, ADOBE, COMMENT] = [0xd8, 0xd9, 0xda, 0xee, 0xfe]
/** The length of an "Adobe" segment, which gives the color transform, if it has no further data. */
const ADOBE_BYTES = 14

const isApplication = (marker: number) => marker >= 0xe0 && marker <= 0xef
/** Whether a scan continues after 0xFF and this byte: a stuffed zero or a restart marker (ITU-T T.81, B.1.1.2 and B.1.1.5). */
const staysInScan = (marker: number) => marker === 0 || (marker >= 0xd0 && marker <= 0xd7)

/**
 * Removes the metadata of a JPEG (Exif with place and device, XMP, comments) and everything after its end, without decoding it.
 * @returns the same picture; null if the bytes are not a complete JPEG
 */
export function stripJpegMetadata(jpeg: Uint8Array): Uint8Array | null {
  if (jpeg[0] !== 0xff || jpeg[1] !== START) return null
  const keptSegments: Uint8Array[] = [jpeg.subarray(0, 2)]
  let at = 2
  while (jpeg[at] === 0xff) {
    // More 0xFF bytes may fill the space before a marker (ITU-T T.81, B.1.1.2).
    while (jpeg[at + 1] === 0xff) at++
    const marker = jpeg[at + 1]!
    if (marker === END) return Buffer.concat([...keptSegments, jpeg.subarray(at, at + 2)])
    const length = jpeg[at + 2]! * 256 + jpeg[at + 3]!
    let end = at + 2 + length
    // The bytes end before this segment does; if they end before its length, `end` is NaN.
    if (!(end <= jpeg.length)) return null
    if (marker === SCAN) {
      while (end + 1 < jpeg.length && !(jpeg[end] === 0xff && !staysInScan(jpeg[end + 1]!))) end++
    }
    const isMetadata = marker === COMMENT || (isApplication(marker) && !(marker === ADOBE && length === ADOBE_BYTES))
    if (!isMetadata) keptSegments.push(jpeg.subarray(at, end))
    at = end
  }
  return null
}
