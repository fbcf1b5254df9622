import { MAX_VIDEO_BYTES, type VIDEO_TYPES, VIDEOS_PER_FOLDER } from '../../modules/folders/policy.ts'

type VideoType = (typeof VIDEO_TYPES)[number]
/** What a file may become: its real type, or the sentence that stands beside it. */
export type Checked = { type: VideoType } | { refused: string }

/** What a file input offers. */
export const KINDS = 'video/mp4,video/quicktime,video/webm,.mp4,.mov,.webm'
const NAME_MOST = 200
const ascii = (bytes: Uint8Array, from: number, to: number) => String.fromCharCode(...bytes.subarray(from, to))

/** Boxes that a QuickTime movie from before `ftyp` may begin with. */
const OLD_MOVIE = new Set(['moov', 'mdat', 'wide', 'free', 'skip', 'pnot'])
const HEIF = new Set(['heic', 'heix', 'mif1', 'msf1', 'avif', 'heim', 'heis', 'hevc'])

/** Names the container from the first bytes (64 are enough), never from what the file calls itself. */
export function sniff(head: Uint8Array): VideoType | 'matroska' | 'avi' | 'image' | 'unknown' {
  const box = ascii(head, 4, 8)
  if (box === 'ftyp') {
    const brand = ascii(head, 8, 12)
    if (HEIF.has(brand)) return 'image'
    return brand === 'qt  ' ? 'video/quicktime' : 'video/mp4'
  }
  if (OLD_MOVIE.has(box)) return 'video/quicktime'
  if (head[0] === 0x1a && head[1] === 0x45 && head[2] === 0xdf && head[3] === 0xa3) {
    return ascii(head, 0, head.length).includes('webm') ? 'video/webm' : 'matroska'
  }
  const start = ascii(head, 0, 4)
  if (start === 'RIFF') return ascii(head, 8, 12) === 'AVI ' ? 'avi' : 'unknown'
  if (start.startsWith('\xff\xd8\xff') || start === '\x89PNG' || start === 'GIF8') return 'image'
  return 'unknown'
}

const reasons = {
  matroska: 'This is an MKV file. Export it as MP4 and choose it again.',
  avi: 'This is an AVI file. Export it as MP4 and choose it again.',
  image: 'This is a picture, not a video. Choose an MP4, MOV or WEBM video.',
  unknown: 'This is not a video that we can read. Choose an MP4, MOV or WEBM video.',
}

const megabytes = (bytes: number) => Math.ceil(bytes / 1024 / 1024)

/**
 * Looks at a file before any byte of it is sent.
 * @param taken videos and unfinished uploads of this session so far
 */
export async function check(file: File, taken: number): Promise<Checked> {
  if (taken >= VIDEOS_PER_FOLDER) {
    return { refused: `A session takes up to ${VIDEOS_PER_FOLDER} videos. Remove one first, or start another folder.` }
  }
  if (file.size === 0) return { refused: 'This file is empty. Choose another one.' }
  if (file.name.length > NAME_MOST) {
    return { refused: `The name of this file has ${file.name.length} characters, and ${NAME_MOST} fit. Rename it and choose it again.` }
  }
  if (file.size > MAX_VIDEO_BYTES) {
    return {
      refused: `This video has ${megabytes(file.size)} MB, and up to ${megabytes(MAX_VIDEO_BYTES)} MB fit. Trim it or export it at 1080p.`,
    }
  }
  let head: Uint8Array
  try {
    head = new Uint8Array(await file.slice(0, 64).arrayBuffer())
  } catch {
    return { refused: 'This file cannot be opened. If it is in a cloud drive, download it first and choose it again.' }
  }
  const type = sniff(head)
  return type in reasons ? { refused: reasons[type as keyof typeof reasons] } : { type: type as VideoType }
}

const EDGE = 64 * 1024

/** The same content gives the same words, whatever a phone calls the file this time: its size and a hash of both of its ends. */
export async function fingerprint(file: File): Promise<string> {
  // No Web Crypto outside a secure context: name and time do then.
  if (!globalThis.crypto?.subtle) return `${file.size}.${file.lastModified}.${file.name}`.slice(0, 300)
  const ends = await new Blob([file.slice(0, EDGE), file.slice(Math.max(EDGE, file.size - EDGE))]).arrayBuffer()
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', ends))
  return `${file.size}.${Array.from(digest.subarray(0, 16), b => b.toString(16).padStart(2, '0')).join('')}`
}
