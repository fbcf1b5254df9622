import { fileTypeFromBuffer } from 'file-type'
import { MAX_DECLARED_VIDEO_HOURS } from './policy.ts'
import type { ByteSource } from './read-ahead-reader.ts'
import { UnplayableFileError } from './unplayable-file-error.ts'
import { validateMp4AndReadDuration } from './validate-mp4-and-read-duration.ts'
import { validateWebmAndReadDuration } from './validate-webm-and-read-duration.ts'

const CONTAINER_NAMES: Record<string, string> = { 'video/mp4': 'MP4', 'video/quicktime': 'MOV', 'video/webm': 'WEBM' }
const FILE_EXTENSIONS: Record<string, string> = { 'video/mp4': '.mp4', 'video/quicktime': '.mov', 'video/webm': '.webm' }
/** Other types that `file-type` returns for the same container: some phones give an MP4 a 3GPP brand. */
const TYPE_ALIASES: Record<string, string> = { 'video/x-m4v': 'video/mp4', 'video/3gpp': 'video/mp4', 'video/3gpp2': 'video/mp4' }
const HEAD_BYTES = 4100
const MAX_DECLARED_MS = MAX_DECLARED_VIDEO_HOURS * 3600_000

/**
 * Checks a file of a declared type: its first bytes, and whether it is complete. This runs in the web process, so it decodes nothing and
 * builds no lists: it reads a thousand headers at most, and holds 8 KB of the untrusted file at a time (docs/media.md).
 * @returns its duration in milliseconds, or null if the file does not declare one
 * @throws UnplayableFileError
 */
export async function validateVideoContainer(source: ByteSource, declared: string): Promise<{ milliseconds: number | null }> {
  const head = await source.read(0, Math.min(HEAD_BYTES, source.bytes))
  const mime = (await fileTypeFromBuffer(head).catch(() => undefined))?.mime ?? ''
  const type = TYPE_ALIASES[mime] ?? mime
  if (!CONTAINER_NAMES[type]) {
    throw new UnplayableFileError('This is not a video that we can read. Choose an MP4, MOV or WEBM video.', 'not-a-video')
  }
  if (type !== declared) {
    throw new UnplayableFileError(
      `This file is labeled ${CONTAINER_NAMES[declared]}, but its content is ${CONTAINER_NAMES[type]}. Rename it to end in ${FILE_EXTENSIONS[type]} and choose it again.`,
      'wrong-type',
    )
  }
  const milliseconds = await (type === 'video/webm' ? validateWebmAndReadDuration(source) : validateMp4AndReadDuration(source))
  if (milliseconds !== null && !(milliseconds <= MAX_DECLARED_MS)) {
    throw new UnplayableFileError(
      `This file gives a length of more than ${MAX_DECLARED_VIDEO_HOURS} hours, so it is probably damaged. Export it as MP4 and choose it again.`,
      'damaged',
    )
  }
  return { milliseconds }
}
