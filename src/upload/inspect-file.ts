import type { BrowserFindings, Media } from '../../modules/media/contract.ts'
import { readContainerInWorker } from './read-container-in-worker.ts'
import { type PlaybackTest, testPlayback } from './test-playback.ts'

export interface FileInspection {
  playback: PlaybackTest
  /** What the container says, with the frame table; null where that is not known. */
  inside: BrowserFindings | null
  media: Media | null
  /** This browser decodes the video. */
  plays: boolean
  /** Mean of the still, 0 to 255; null without a still. */
  brightness: number | null
}

/** All that a browser can find out about a file: what its container says, and whether and how it plays here. Never throws. */
export async function inspectFile(file: Blob, type: string, container = readContainerInWorker(file, type)): Promise<FileInspection> {
  const [playback, inside] = await Promise.all([testPlayback(file), container])
  return { playback, inside, media: inside?.media ?? null, plays: playback.width > 0, brightness: playback.brightness }
}
