import type { VideoProperties } from '../../modules/media/contract.ts'

const names: Record<string, string> = { avc: 'H.264', hevc: 'HEVC', vp8: 'VP8', vp9: 'VP9', av1: 'AV1' }
/** Whether a codec has a name that people know. */
export const hasCodecName = (codec: string) => codec in names
/** 'H.264' for 'avc'; an unknown codec's identifier is returned unchanged. */
export const codecName = (codec: string) => names[codec] ?? codec

/** 'HEVC · 240 frames/s · 1080 × 1920 · 4.2 s' */
export function formatVideoProperties({ codec, rate, frames, milliseconds, width, height }: VideoProperties): string {
  const fps = rate ? rate[0] / rate[1] : (frames * 1000) / milliseconds
  const pace = `${rate ? '' : 'about '}${Number(fps.toFixed(2))} frames/s`
  return [codecName(codec), pace, `${width} × ${height}`, `${(milliseconds / 1000).toFixed(1)} s`].join(' · ')
}
