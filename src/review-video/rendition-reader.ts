import { type Canvas, createCanvas, ImageData } from '@napi-rs/canvas'
import type { Decoder, Demuxer, Frame, Packet } from 'node-av'
import { decoderOptions, type NodeAv, secondsOf } from '../../modules/media/child/node-av.ts'
import type { Timeline } from '../../modules/media/frames.ts'
import { MAX_FRAMES_PER_KEYFRAME, MAX_SIDE_PIXELS } from '../../modules/media/policy.ts'

/** Opens an MP4 that this server made: only files, and the times of its edit list, which hides what a sound encoder puts before the sound. */
export const openOwnFile = (av: NodeAv, file: string): Promise<Demuxer> =>
  av.Demuxer.open(file, { format: 'mov', options: { protocol_whitelist: 'file' } })

/**
 * Goes to the key frame before a time in seconds. No stream is named: node-av passes microseconds on, which FFmpeg takes for ticks of the stream
 * that is named.
 */
export const seekBefore = (av: NodeAv, demuxer: Demuxer, seconds: number) => demuxer.seek(seconds, -1, av.AVSEEK_FLAG_BACKWARD)

/**
 * The pictures of a rendition by their frames, in any order. Going on is cheap; going back, or far ahead, begins at the key frame before.
 * @throws where the rendition has no such frame
 */
export async function openRendition(av: NodeAv, file: string, times: Timeline) {
  const demuxer = await openOwnFile(av, file)
  const stream = demuxer.video()!
  const { width, height, colorSpace } = stream.codecpar
  const decoder: Decoder = await av.Decoder.create(stream, decoderOptions(MAX_SIDE_PIXELS * MAX_SIDE_PIXELS))
  // Browsers take pictures without a mark for those of HD.
  const matrix = colorSpace === av.AVCOL_SPC_UNSPECIFIED ? 'bt709' : 'auto'
  const toRgba = av.FilterAPI.create(`scale=in_color_matrix=${matrix},format=rgba`)
  const canvas = createCanvas(width, height)
  const context = canvas.getContext('2d')
  let packets: Iterator<Packet | null> = demuxer.packetsSync(stream.index)
  const decoded: Frame[] = []
  let isAtEnd = false
  /** The frame on the canvas, and the one that was decoded last. */
  let [painted, last] = [-1, -1]

  const frameOf = (frame: Frame) => times.at(secondsOf(frame.pts, frame) + times.start(0))

  async function seek(frame: number) {
    for (const frame of decoded.splice(0)) frame.free()
    await seekBefore(av, demuxer, times.start(frame) - times.start(0))
    decoder.getCodecContext()?.flushBuffers()
    packets = demuxer.packetsSync(stream.index)
    isAtEnd = false
  }

  async function next(): Promise<Frame | undefined> {
    while (!decoded.length && !isAtEnd) {
      using packet = packets.next().value ?? null
      isAtEnd = packet === null
      decoded.push(...(await decoder.decodeAll(packet)))
    }
    return decoded.shift()
  }

  async function paint(frame: Frame) {
    for (using shown of await toRgba.processAll(frame)) {
      const pixels = shown.toBuffer()
      context.putImageData(new ImageData(new Uint8ClampedArray(pixels.buffer, pixels.byteOffset, pixels.length), width, height), 0, 0)
    }
  }

  return {
    ...{ times, width, height },
    /** The picture of a frame, on a canvas that the next call paints anew. */
    async picture(frame: number): Promise<Canvas> {
      if (frame === painted) return canvas
      if (frame <= last || frame > last + 2 * MAX_FRAMES_PER_KEYFRAME || isAtEnd) await seek(frame)
      for (let found = await next(); found; found = await next()) {
        using its = found
        last = frameOf(its)
        if (last < frame) continue
        await paint(its)
        painted = frame
        return canvas
      }
      throw new Error(`There is no frame ${frame} of ${times.frames}`)
    },
    async close() {
      for (const frame of decoded) frame.free()
      toRgba.close()
      decoder.close()
      await demuxer.close()
    },
  }
}
export type RenditionReader = Awaited<ReturnType<typeof openRendition>>
