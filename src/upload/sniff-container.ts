import type { VIDEO_TYPES } from '../../modules/folders/policy.ts'

export type VideoType = (typeof VIDEO_TYPES)[number]

const ascii = (bytes: Uint8Array, from: number, to: number) => String.fromCharCode(...bytes.subarray(from, to))

/** The first boxes of QuickTime movies that predate the `ftyp` box. */
const OLD_QUICKTIME_BOXES = new Set(['moov', 'mdat', 'wide', 'free'])
const HEIF_BRANDS = new Set(['heic', 'heix', 'mif1', 'msf1', 'avif', 'heim', 'heis', 'hevc'])
/** Brands of files that have only sound. */
const SOUND_BRANDS = new Set(['M4A ', 'M4B ', 'F4A ', 'F4B '])

/**
 * Detects the container by the file's signature, because neither the file's name nor its declared type can be trusted. After the upload,
 * the server checks the first bytes too, in `validateVideoContainer`.
 * @param head the file's first bytes; 64 are enough
 */
export function sniffContainer(head: Uint8Array): VideoType | 'matroska' | 'avi' | 'image' | 'unknown' {
  const box = ascii(head, 4, 8)
  if (box === 'ftyp') {
    const brand = ascii(head, 8, 12)
    if (HEIF_BRANDS.has(brand)) return 'image'
    if (SOUND_BRANDS.has(brand)) return 'unknown'
    return brand === 'qt  ' ? 'video/quicktime' : 'video/mp4'
  }
  if (OLD_QUICKTIME_BOXES.has(box)) return 'video/quicktime'
  if (head[0] === 0x1a && head[1] === 0x45 && head[2] === 0xdf && head[3] === 0xa3) {
    return ascii(head, 0, head.length).includes('webm') ? 'video/webm' : 'matroska'
  }
  const start = ascii(head, 0, 4)
  if (start === 'RIFF') return ascii(head, 8, 12) === 'AVI ' ? 'avi' : 'unknown'
  if (start.startsWith('\xff\xd8\xff') || start === '\x89PNG' || start === 'GIF8') return 'image'
  return 'unknown'
}
