import type { Media } from '../../modules/media/contract.ts'

/** A swing, with what comes before and after it, seconds. */
const SWING = 30
/** Mean brightness of the still, 0 to 255, under which a swing is hard to see. */
const DARK = 40

const names: Record<string, string> = { avc: 'H.264', hevc: 'HEVC', vp8: 'VP8', vp9: 'VP9', av1: 'AV1' }
export const isKnown = (codec: string) => codec in names
export const codecName = (codec: string) => names[codec] ?? codec

export interface Advice {
  /** `note`: good to know. `care`: worth doing something about first. */
  tone: 'note' | 'care'
  text: string
}

/** Past this size a smaller copy saves a phone's data, bytes. */
const HEAVY = 100 * 1024 * 1024

/** Longer than a swing needs: worth a cut before it is sent. */
export const isLong = ({ milliseconds }: Media) => milliseconds > SWING * 1000
/** Of a kind that other devices do not play, or heavy: worth a smaller copy where one can be made here. */
export const isRare = ({ codec, hdr }: Media, bytes: number) => codec === 'hevc' || codec === 'av1' || hdr || bytes > HEAVY

/** Cameras keep the picture lying and mark it as turned. What stands in the file and is marked all the same was turned twice, by an app. */
const isTurnedTwice = ({ rotation, width, height }: Media) => rotation % 180 !== 0 && width > height

/**
 * What is worth knowing of a file before it is sent. Null: not known.
 * @param brightness mean of its still, 0 to 255
 */
export function advise(media: Media | null, { plays, brightness }: { plays: boolean; brightness: number | null }): Advice[] {
  const advice: Advice[] = []
  const say = (tone: Advice['tone'], text: string) => advice.push({ tone, text })
  if (media && (!plays || media.codec === 'hevc' || media.hdr)) {
    const what = [codecName(media.codec), media.hdr && 'HDR'].filter(Boolean).join(', ')
    say('note', `The picture is ${what}. After the upload it is prepared, so that it plays on every device.`)
  } else if (!media && !plays) {
    say('care', 'This browser cannot play it, and the file may be damaged. Check that it plays on your phone.')
  }
  if (!media) return advice
  const seconds = media.milliseconds / 1000
  const rate = media.rate ? media.rate[0] / media.rate[1] : media.frames / seconds
  if (isLong(media)) say('care', `${Math.round(seconds)} seconds are longer than a swing needs. Trim it to the swing: it uploads faster.`)
  if (media.captureRate && media.captureRate.rate > rate * 1.2) {
    say(
      'care',
      `Filmed at ${Math.round(media.captureRate.rate)} frames a second, but saved at ${Math.round(rate)}. Share the original to keep real time.`,
    )
  }
  if (rate < 24.5 && media.frames > 10) say('note', `Only ${Math.round(rate)} frames a second: 60 or more show the swing better.`)
  if (media.width < 480 && media.height < 480)
    say('care', 'The picture is very small. Messengers shrink videos: choose the original from your gallery.')
  if (isTurnedTwice(media)) say('care', 'The picture seems to lie on its side. Turn it upright in your gallery and choose it again.')
  if (brightness !== null && brightness < DARK)
    say('care', 'The picture is very dark. More light, or filming towards the field, shows more.')
  return advice
}

/** 'HEVC · 240 frames/s · 1080 × 1920 · 4.2 s' */
export function described({ codec, rate, frames, milliseconds, width, height }: Media): string {
  const fps = rate ? rate[0] / rate[1] : (frames * 1000) / milliseconds
  const pace = `${rate ? '' : 'about '}${Number(fps.toFixed(2))} frames/s`
  return [codecName(codec), pace, `${width} × ${height}`, `${(milliseconds / 1000).toFixed(1)} s`].join(' · ')
}
