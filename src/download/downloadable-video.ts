import type { Session } from '../../modules/folders/contract.ts'

/** A video as a file in the zip. `bytes` is 0 if its size is unknown. */
export interface VideoFile {
  name: string
  url: string
  bytes: number
}

/**
 * The file of a clip that the viewer may download: the original if the viewer has access to it, otherwise the rendition, which is always an
 * MP4. Null if there is no file yet.
 * @param name the clip's file name in the zip
 */
export function downloadableFileOf({ url, bytes, rendition }: Session['clips'][number], name: string): VideoFile | null {
  if (url !== null) return { name, url, bytes }
  if (!rendition?.url) return null
  return { name: `${name.replace(/\.[^.]*$/, '')}.mp4`, url: rendition.url, bytes: rendition.bytes ?? 0 }
}
