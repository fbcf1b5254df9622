import type { Session } from '../../modules/folders/contract.ts'

/** A video as a file of the zip. `bytes`: what it takes. */
export interface VideoFile {
  name: string
  url: string
  bytes: number
}

/**
 * The file that a reader may keep of a clip: the original where they are given it, as its player is, else the rendition, which is an MP4
 * whatever the original was. Null where there is neither yet.
 * @param name the clip's file name in the zip
 */
export function videoFile({ url, bytes, rendition }: Session['clips'][number], name: string): VideoFile | null {
  if (url !== null) return { name, url, bytes }
  if (!rendition?.url) return null
  return { name: `${name.replace(/\.[^.]*$/, '')}.mp4`, url: rendition.url, bytes: rendition.bytes ?? 0 }
}
