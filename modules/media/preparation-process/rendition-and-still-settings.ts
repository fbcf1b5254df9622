import type { VideoProperties } from '../contract.ts'
import { MAX_FRAMES_PER_KEYFRAME, RENDITION_SHORTER_SIDE_PX, scaledSize } from '../policy.ts'
import type { ContainerFacts } from '../read-container.ts'
import { type PictureColors, sdrColorFilters } from './hdr-to-sdr-filters.ts'

/** Sizes of stills, in lines of the shorter side. */
const POSTER_LINES = 480
const TILE_LINES = 90
const MAX_FILMSTRIP_TILES = 60
const FILMSTRIP_COLUMNS = 10

/**
 * How x264 encodes a rendition. To step to another frame, a browser decodes all frames since the last keyframe, mostly in software. CAVLC
 * instead of CABAC and a shorter distance between keyframes cost a fifth more bytes, and show the frame one screen refresh earlier.
 */
export const X264_OPTIONS = {
  preset: 'veryfast',
  crf: 22,
  params: `cabac=0:scenecut=0:keyint=${MAX_FRAMES_PER_KEYFRAME}:min-keyint=1:bframes=0`,
}

const ROTATION_FILTERS = { 0: [], 90: ['transpose=clock'], 180: ['hflip', 'vflip'], 270: ['transpose=cclock'] }

/** FFmpeg filters that turn a decoded frame into the one to show. They scale first: fewer pixels make all other filters cheaper. */
export function renditionFilters(
  media: Pick<VideoProperties, 'width' | 'height' | 'rotation' | 'hdr'>,
  flip: boolean,
  colors: PictureColors,
): string {
  const { width, height } = scaledSize(media, RENDITION_SHORTER_SIDE_PX)
  const colorFilters = sdrColorFilters(colors, media.hdr)
  const unrotated = media.rotation % 180 ? [height, width] : [width, height]
  return [
    `scale=${unrotated.join(':')}:flags=bicubic${colorFilters.length ? '' : ':out_range=tv'}`,
    ...colorFilters,
    ...ROTATION_FILTERS[media.rotation],
    ...(flip ? ['hflip'] : []),
    'setsar=1',
    'format=yuv420p',
  ].join(',')
}

/** Decoders work on whole blocks. The largest are 64 pixels wide (HEVC, VP9), and buffers are aligned to them. */
const BLOCK_PIXELS = 64
const blocks = (side: number) => Math.ceil(side / BLOCK_PIXELS) * BLOCK_PIXELS
/** The maximum number of pixels that a decoder may produce per frame of a video with this probed size. */
export const maxDecodedPixelsPerFrame = ({ width, height }: ContainerFacts['picture']) => blocks(width) * blocks(height)
/** The log messages of FFmpeg and of dav1d about a frame that exceeds this maximum. */
export const TOO_MANY_PIXELS_LOG_PATTERN = /exceeds specified max pixel count|Frame size \d+x\d+ exceeds limit/

/** The layout of a filmstrip: the size of a tile in pixels, and the numbers of tiles, columns and rows. */
export function filmstripGrid(media: Pick<VideoProperties, 'width' | 'height' | 'frames'>) {
  const count = Math.min(MAX_FILMSTRIP_TILES, media.frames)
  return {
    ...scaledSize(media, TILE_LINES),
    count,
    columns: Math.min(FILMSTRIP_COLUMNS, count),
    rows: Math.ceil(count / FILMSTRIP_COLUMNS),
  }
}
/** The index of the frame on each tile of a filmstrip: the middle one of each of `count` equal parts of the video. */
export const filmstripFrames = (frames: number, count: number) =>
  Array.from({ length: count }, (_, i) => Math.floor(((i + 0.5) * frames) / count))

/** The frame for the poster: not at the start, where a clip often shows the ground. */
export const posterFrame = (frames: number) => Math.floor(frames * 0.4)
export const posterSize = (media: Pick<VideoProperties, 'width' | 'height'>) => scaledSize(media, POSTER_LINES)
