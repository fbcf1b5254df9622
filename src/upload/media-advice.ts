import type { VideoProperties } from '../../modules/media/contract.ts'
import { codecName } from './format-video-properties.ts'

/** A swing with some time before and after it fits into this length. */
const LONG_VIDEO_SECONDS = 30
/** The lowest frame rate at which a swing is sharp enough for frame-by-frame review. */
const SHARP_RATE = 50
/** Mean brightness of the still, 0 to 255, below which a swing is hard to see. */
const DARK_BRIGHTNESS = 40

/** A sentence of advice about a video file. */
export interface FileAdviceItem {
  /** `info`: good to know. `warning`: the player should fix it before the upload. */
  tone: 'info' | 'warning'
  text: string
}

/** Above this size, uploading a smaller copy saves a lot of mobile data. */
const LARGE_FILE_BYTES = 100 * 1024 * 1024

/** Whether a video is longer than a swing needs, so that trimming it first is worthwhile. */
export const isLongVideo = ({ milliseconds }: VideoProperties) => milliseconds > LONG_VIDEO_SECONDS * 1000
/** Whether a video is large or may not play on other devices, so that a smaller copy is worthwhile if this browser can make one. */
export const isLargeOrHardToPlay = ({ codec, hdr }: VideoProperties, bytes: number) =>
  codec === 'hevc' || codec === 'av1' || hdr || bytes > LARGE_FILE_BYTES

/**
 * Phones store a portrait video as landscape with a rotation. A rotated video that is shown as landscape was stored as portrait, so an app
 * has probably turned it a second time.
 */
const isTurnedTwice = ({ rotation, width, height }: VideoProperties) => rotation % 180 !== 0 && width > height

/**
 * Advice about a video before it is uploaded.
 * @param media its container's metadata; null if unknown
 * @param plays whether this browser decodes it
 * @param brightness mean brightness of its still, 0 to 255; null without a still
 */
export function mediaAdvice(
  media: VideoProperties | null,
  { plays, brightness }: { plays: boolean; brightness: number | null },
): FileAdviceItem[] {
  const advice: FileAdviceItem[] = []
  const say = (tone: FileAdviceItem['tone'], text: string) => advice.push({ tone, text })
  if (media && (!plays || media.codec === 'hevc' || media.hdr)) {
    const formatText = [codecName(media.codec), media.hdr && 'HDR'].filter(Boolean).join(', ')
    say('info', `This video is ${formatText}. After the upload, it is prepared to play on every device.`)
  } else if (!media && !plays) {
    say('warning', 'This browser cannot play this video. The file may be damaged: check that it plays on your phone.')
  }
  if (!media) return advice
  const seconds = media.milliseconds / 1000
  const rate = media.rate ? media.rate[0] / media.rate[1] : media.frames / seconds
  if (isLongVideo(media))
    say('warning', `${Math.round(seconds)} seconds is longer than you need for one swing or pitch. Trim it, and it will upload faster.`)
  if (media.captureRate && media.captureRate.rate > rate * 1.2) {
    say(
      'warning',
      `Filmed at ${Math.round(media.captureRate.rate)} frames per second, but saved at ${Math.round(rate)}. Choose the original to keep its real speed.`,
    )
  }
  if (rate < SHARP_RATE && media.frames > 10 && !media.captureRate)
    say('info', `Fast motion looks blurry at ${Math.round(rate)} frames per second. If your camera can, film in slow motion at 120 or 240.`)
  if (media.width < 480 && media.height < 480)
    say('warning', 'The resolution is very low. Messaging apps shrink videos: choose the original from your photo library.')
  if (isTurnedTwice(media)) say('warning', 'The video seems to be sideways. Rotate it in your photo library and choose it again.')
  else if (media.width > media.height) say('info', 'Filmed with the phone sideways. Hold it upright, and the whole body appears larger.')
  if (brightness !== null && brightness < DARK_BRIGHTNESS)
    say('warning', 'The video is very dark. Film with more light, or with the sun behind the camera.')
  return advice
}

export const CAMERA_SHAKE_ADVICE: FileAdviceItem = {
  tone: 'warning',
  text: 'The camera moves. Next time, prop it against a bag or a fence, so that positions can be compared.',
}
