// The functions in this file build small valid files of each container from bytes, so that tests can damage them.

export function joinBytes(...parts: (Uint8Array | number[])[]) {
  const all = new Uint8Array(parts.reduce((sum, p) => sum + p.length, 0))
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  return all
}
const ascii = (s: string) => [...s].map(c => c.charCodeAt(0))
const u32 = (n: number) => [n >>> 24, (n >>> 16) & 255, (n >>> 8) & 255, n & 255]

export const mp4Box = (type: string, ...body: (Uint8Array | number[])[]) => {
  const inner = joinBytes(...body)
  return joinBytes(u32(inner.length + 8), ascii(type), inner)
}
/** A box with a 64-bit size. */
export const mp4BoxWithLargeSize = (type: string, body: number[]) => joinBytes(u32(1), ascii(type), u32(0), u32(body.length + 16), body)
export const ftypBox = (brand: string) => mp4Box('ftyp', ascii(brand), u32(512), ascii(brand))
/** `scale` is in ticks per second. */
export const mvhdBox = (scale: number, length: number) =>
  mp4Box('mvhd', u32(0), u32(0), u32(0), u32(scale), u32(length), new Uint8Array(80))
/** A version 1 `mvhd` box, whose duration has 64 bits. */
export const mvhdBoxVersion1 = (scale: number, high: number, low: number) =>
  mp4Box('mvhd', [1, 0, 0, 0], u32(0), u32(0), u32(0), u32(0), u32(scale), u32(high), u32(low), new Uint8Array(80))
export const fillerBytes = (bytes = 300) => new Uint8Array(bytes).fill(7)

export const minimalMp4File = (brand = 'isom') =>
  joinBytes(ftypBox(brand), mp4Box('moov', mvhdBox(600, 1500)), mp4Box('mdat', fillerBytes()))
export const movFile = () => joinBytes(ftypBox('qt  '), mp4Box('wide'), mp4Box('mdat', fillerBytes()), mp4Box('moov', mvhdBox(1000, 2500)))

/** An EBML element whose size field is five bytes long. */
export const webmElement = (id: number[], ...body: (Uint8Array | number[])[]) => {
  const inner = joinBytes(...body)
  return joinBytes(id, [0x08], u32(inner.length), inner)
}
const float64 = (n: number) => new Uint8Array(new Float64Array([n]).buffer).reverse()
export const ebmlHeader = webmElement([0x1a, 0x45, 0xdf, 0xa3], webmElement([0x42, 0x82], ascii('webm')))
export const webmInfoOfDuration = (length: number) =>
  webmElement([0x15, 0x49, 0xa9, 0x66], webmElement([0x2a, 0xd7, 0xb1], [0x0f, 0x42, 0x40]), webmElement([0x44, 0x89], float64(length)))
export const webmInfo = webmInfoOfDuration(2500)
export const fillerWebmTracks = webmElement([0x16, 0x54, 0xae, 0x6b], fillerBytes(20))
export const fillerWebmCluster = webmElement([0x1f, 0x43, 0xb6, 0x75], fillerBytes())
export const WEBM_SEGMENT_ID = [0x18, 0x53, 0x80, 0x67]
export const webmFile = () => joinBytes(ebmlHeader, webmElement(WEBM_SEGMENT_ID, webmInfo, fillerWebmTracks, fillerWebmCluster))
/** A WEBM file as a browser records it: the sizes of the segment and the cluster are unknown, and there is no duration. */
export const liveWebmFile = () =>
  joinBytes(
    ebmlHeader,
    WEBM_SEGMENT_ID,
    [0x01, 255, 255, 255, 255, 255, 255, 255],
    fillerWebmTracks,
    [0x1f, 0x43, 0xb6, 0x75, 0xff],
    fillerBytes(),
  )

export const byteSourceOf = (file: Uint8Array) => ({
  bytes: file.length,
  read: async (start: number, end: number) => file.slice(start, end),
})
