import { createFrameGrabber } from '../player/frame-grabber.ts'
import type { Clip } from '../player/source.ts'

/** Pixels across; twice what a still has on the screen. */
const WIDE = 288

const kept = new Map<string, Promise<string>>()
let queue: Promise<unknown> = Promise.resolve()

/**
 * An address of the picture of one frame, drawn from the rendition by a player of its own, one after the other, and kept for as long as
 * the page is open. @throws where the video cannot be shown
 */
export function stillOf(clip: Clip, frame: number): Promise<string> {
  const key = `${clip.id} ${frame}`
  const known = kept.get(key)
  if (known) return known
  const made = queue.then(() => draw(clip, frame))
  queue = made.catch(() => kept.delete(key))
  kept.set(key, made)
  return made
}

async function draw(clip: Clip, frame: number): Promise<string> {
  const frames = createFrameGrabber(clip, async () => clip)
  try {
    const { video } = (await frames.show({ frame, at: 0 })) ?? {}
    if (!video) throw new Error('The frame did not come.')
    const canvas = document.createElement('canvas')
    canvas.width = WIDE
    canvas.height = Math.round((WIDE * video.videoHeight) / video.videoWidth)
    canvas.getContext('2d')!.drawImage(video, 0, 0, canvas.width, canvas.height)
    const blob = await new Promise<Blob | null>(done => canvas.toBlob(done, 'image/jpeg', 0.85))
    return URL.createObjectURL(blob!)
  } finally {
    frames.dispose()
  }
}
