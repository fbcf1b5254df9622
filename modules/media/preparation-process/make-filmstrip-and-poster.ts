import { writeFile } from 'node:fs/promises'
import type { Frame } from 'node-av'
import { MAX_VIDEO_SIDE_PIXELS, RENDITION_SHORTER_SIDE_PX, scaledSize } from '../policy.ts'
import type { ContainerFacts } from '../read-container.ts'
import { MediaRefusal } from './media-refusal.ts'
import { decoderOptions, type NodeAv, openDemuxer } from './node-av-helpers.ts'
import { filmstripFrames, filmstripGrid, posterFrame, posterSize } from './rendition-and-still-settings.ts'

/**
 * Writes the filmstrip of a rendition and the still for its poster as JPEG files, decoding the rendition only once.
 * @returns the layout of the filmstrip, in tiles and pixels
 * @throws MediaRefusal if the rendition does not have `media.frames` frames
 */
export async function makeFilmstripAndPoster(
  av: NodeAv,
  rendition: string,
  media: ContainerFacts['media'],
  out: { poster: string; filmstrip: string },
) {
  const size = scaledSize(media, RENDITION_SHORTER_SIDE_PX)
  const tiles = filmstripGrid({ ...size, frames: media.frames })
  const wanted = filmstripFrames(media.frames, tiles.count)
  const poster = posterFrame(media.frames)
  await using demuxer = await openDemuxer(av, rendition, false)
  using decoder = await av.Decoder.create(demuxer.video()!, decoderOptions(MAX_VIDEO_SIDE_PIXELS * MAX_VIDEO_SIDE_PIXELS))
  using filter = av.FilterAPI.create(
    `scale=${tiles.width}:${tiles.height},tile=${tiles.columns}x${tiles.rows}:nb_frames=${tiles.count},format=yuvj420p`,
  )
  const small = posterSize(media)
  using enlarged = av.FilterAPI.create(`scale=${small.width}:${small.height},format=yuvj420p`)
  let index = 0
  const written: Promise<void>[] = []
  const save = async (frames: Frame[], file: string, quality: number) => {
    for (using frame of frames) {
      const jpeg = await av.Encoder.encodeOne(av.FF_ENCODER_MJPEG, frame, {
        context: { globalQuality: quality * 118, flags: av.AV_CODEC_FLAG_QSCALE },
      })
      written.push(writeFile(file, jpeg))
    }
  }
  const show = async (frames: Frame[]) => {
    for (using frame of frames) {
      if (index === poster) await save(await enlarged.processAll(frame), out.poster, 2)
      if (wanted.includes(index)) await save(await filter.processAll(frame), out.filmstrip, 6)
      index++
    }
  }
  // The final null packet flushes the remaining frames out of the decoder.
  for (using packet of demuxer.packetsSync(demuxer.video()!.index)) await show(await decoder.decodeAll(packet))
  await save(await filter.processAll(null), out.filmstrip, 6)
  await Promise.all(written)
  if (index !== media.frames) throw new MediaRefusal('different')
  const { count, columns, width, height } = tiles
  return { count, columns, width, height }
}
