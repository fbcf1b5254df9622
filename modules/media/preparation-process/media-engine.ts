import type { Voice } from '../../reviews/contract.ts'
import type { ContainerFacts } from '../read-container.ts'
import { makeFilmstripAndPoster } from './make-filmstrip-and-poster.ts'
import { MediaRefusal } from './media-refusal.ts'
import { logFfmpegErrorsAndFlagOversizedPictures } from './node-av-helpers.ts'
import { renderRendition } from './render-rendition.ts'
import { transcodeVoice } from './transcode-voice.ts'

/** Errors of a machine that is short of memory or file handles, so that a later try may succeed. */
const SHORTAGE_ERRORS = new Set(['EMFILE', 'ENFILE', 'ENOMEM', 'EAGAIN'])

/**
 * Loads FFmpeg, which comes as a package for each platform.
 * @throws MediaRefusal on a platform without a package, or Error if the machine is short of memory or file handles
 */
export async function loadMediaEngine() {
  const av = await import('node-av').catch(error => {
    throw SHORTAGE_ERRORS.has(error.code ?? error.cause?.code) ? error : new MediaRefusal('no-encoder')
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
