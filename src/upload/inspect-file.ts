import type { VideoProperties } from '../../modules/media/contract.ts'
import { type PlaybackTestResult, testPlayback } from './probe-video-and-make-poster.ts'
import { type ContainerReadResult, readContainerInWorker } from './read-container-in-worker.ts'

/** What the browser has found out about a file. */
export interface FileInspection extends ContainerReadResult {
  playback: PlaybackTestResult
  media: VideoProperties | null
  /** Whether this browser decodes the video. */
  plays: boolean
  /** Mean brightness of the still, 0 to 255; null without a still. */
  brightness: number | null
}

/** Everything a browser can find out about a file: its container's metadata, and whether and how it plays here. Never throws. */
export async function inspectFile(file: Blob, type: string, container = readContainerInWorker(file, type)): Promise<FileInspection> {
  const [playback, { inside, refused }] = await Promise.all([testPlayback(file), container])
  return { playback, inside, refused, media: inside?.media ?? null, plays: playback.width > 0, brightness: playback.brightness }
}
