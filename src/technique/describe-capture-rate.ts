import type { Video } from '../../modules/folders/contract.ts'

const formatRate = (rate: number) => `${Math.round(rate * 100) / 100}`

/** Returns a sentence that says at which rate a clip was filmed and how we know, or why the rate is unknown. */
export function describeCaptureRate({ media, rendition }: Pick<Video, 'media' | 'rendition'>): string {
  if (!media && rendition?.state === 'refused') return 'Its frame rate could not be read.'
  if (!media) return 'The frame rate shows here once the video is prepared.'
  if (media.captureRate) {
    const { rate, by } = media.captureRate
    return `Filmed at ${formatRate(rate)} frames per second, ${by === 'person' ? 'as set by hand' : 'as recorded by the camera'}.`
  }
  if (media.variable || !media.rate) return 'Its frame rate varies, so times are those of the file.'
  return `Filmed at ${formatRate(media.rate[0] / media.rate[1])} frames per second, according to the file.`
}
