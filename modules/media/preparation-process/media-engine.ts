import type { Voice } from '../../reviews/contract.ts'
import { isOutOfDiskOrFileHandlesError } from '../disk-and-file-limit-errors.ts'
import type { ContainerFacts } from '../read-container.ts'
import { makeFilmstripAndPoster } from './make-filmstrip-and-poster.ts'
import { MediaRefusal } from './media-refusal.ts'
import { logFfmpegErrorsAndFlagOversizedPictures } from './node-av-helpers.ts'
import { renderRendition } from './render-rendition.ts'
import { transcodeVoice } from './transcode-voice.ts'

/**
 * Loads FFmpeg, which comes as a package for each platform.
 * @throws MediaRefusal on a platform without a package, or Error if no more files can be opened, so that a later try may succeed
 */
export async function loadMediaEngine() {
  const av = await import('node-av').catch(error => {
    throw isOutOfDiskOrFileHandlesError(error.cause ?? error) ? error : new MediaRefusal('no-encoder')
  })
  logFfmpegErrorsAndFlagOversizedPictures(av)
  return {
    /** @param progress called with the rendered share, 0 to 1 @throws MediaRefusal */
    render: (original: string, out: string, facts: ContainerFacts, progress: (part: number) => void) =>
      renderRendition(av, original, out, facts, progress),
    /** Converts a voice-over to AAC, and moves its first packet to time 0. @throws MediaRefusal */
    voice: (original: string, type: Voice['type'], out: string) => transcodeVoice(av, original, type, out),
    /** Writes a rendition's filmstrip and the still for its poster as JPEG files. @returns the filmstrip's layout @throws MediaRefusal */
    stills: (rendition: string, media: ContainerFacts['media'], out: { poster: string; filmstrip: string }) =>
      makeFilmstripAndPoster(av, rendition, media, out),
  }
}
export type MediaEngine = Awaited<ReturnType<typeof loadMediaEngine>>
