import { type Canvas, createCanvas, ImageData } from '@napi-rs/canvas'
import type { Decoder, Demuxer, Frame, Packet } from 'node-av'
import type { FrameTimeline } from '../../modules/media/frames.ts'
import { MAX_FRAMES_PER_KEYFRAME, MAX_VIDEO_SIDE_PIXELS } from '../../modules/media/policy.ts'
import { decoderOptions, type NodeAv, secondsOfTimestamp } from '../../modules/media/preparation-process/node-av-helpers.ts'

/**
 * Opens an MP4 that this server made. The demuxer may only read local files, and it applies the edit list, which hides the audio encoder's
 * priming samples.
 */
export const openServerMadeMp4 = (av: NodeAv, file: string): Promise<Demuxer> =>
  av.Demuxer.open(file, { format: 'mov', options: { protocol_whitelist: 'file' } })

/**
 * Seeks to the last keyframe at or before a time in seconds. The stream index is -1 because node-av passes microseconds to FFmpeg, which
 * expects the stream's own ticks if a stream is given.
 */
export const seekToKeyframeBefore = (av: NodeAv, demuxer: Demuxer, seconds: number) => demuxer.seek(seconds, -1, av.AVSEEK_FLAG_BACKWARD)

/**
 * Opens a rendition, to read its frames by number, in any order. Reading forward is cheap; going back, or far ahead, starts at the
 * preceding keyframe.
 */
export async function openRenditionReader(av: NodeAv, file: string, times: FrameTimeline) {
  const demuxer = await openServerMadeMp4(av, file)
  const stream = demuxer.video()!
  const { width, height, colorSpace } = stream.codecpar
  const decoder: Decoder = await av.Decoder.create(stream, decoderOptions(MAX_VIDEO_SIDE_PIXELS * MAX_VIDEO_SIDE_PIXELS))
  // Like browsers, this treats a video without a color space as HD (BT.709).
  const matrix = colorSpace === av.AVCOL_SPC_UNSPECIFIED ? 'bt709' : 'auto'
  const toRgba = av.FilterAPI.create(`scale=in_color_matrix=${matrix},format=rgba`)
  const canvas = createCanvas(width, height)
  const context = canvas.getContext('2d')
  let packets: Iterator<Packet | null> = demuxer.packetsSync(stream.index)
  const decoded: Frame[] = []
  let isAtEnd = false
  /** The number of the frame on the canvas, and of the most recently decoded frame. */
  let [paintedFrame, lastDecoded] = [-1, -1]

  const frameOf = (frame: Frame) => times.at(secondsOfTimestamp(frame.pts, frame) + times.start(0))

  async function seek(frame: number) {
    for (const frame of decoded.splice(0)) frame.free()
    await seekToKeyframeBefore(av, demuxer, times.start(frame) - times.start(0))
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
    times,
    width,
    height,
    /** The picture of a frame, on a canvas that the next call overwrites. @throws Error if the rendition has no such frame */
    async picture(frame: number): Promise<Canvas> {
      if (frame === paintedFrame) return canvas
      if (frame <= lastDecoded || frame > lastDecoded + 2 * MAX_FRAMES_PER_KEYFRAME || isAtEnd) await seek(frame)
      for (let decodedFrame = await next(); decodedFrame; decodedFrame = await next()) {
        using freed = decodedFrame
        lastDecoded = frameOf(freed)
        if (lastDecoded < frame) continue
        await paint(freed)
        paintedFrame = frame
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
export type RenditionReader = Awaited<ReturnType<typeof openRenditionReader>>
