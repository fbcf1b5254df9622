import type { VideoPlayerClip } from '../player/clip-source.ts'
import { createFrameGrabber } from '../player/frame-grabber.ts'

/** Fetches a clip with newly signed URLs; the video player calls it when a URL has failed. */
export type RenewClip = (clipId: string) => Promise<VideoPlayerClip>

/** More than twice the width at which a still is shown (112 px), for high-density displays. */
const STILL_WIDTH_PX = 288

const stillUrls = new Map<string, Promise<string>>()
let queue: Promise<unknown> = Promise.resolve()

/**
 * Returns the URL of a picture of one frame. A hidden player draws one still at a time from the rendition, and each is cached as long as
 * the page is open.
 * @throws Error if the video cannot be shown
 */
export function loadFrameStillUrl(clip: VideoPlayerClip, frame: number, renew: RenewClip): Promise<string> {
  const key = `${clip.id} ${frame}`
  const known = stillUrls.get(key)
  if (known) return known
  const drawing = queue.then(() => draw(clip, frame, renew))
  queue = drawing.catch(() => stillUrls.delete(key))
  stillUrls.set(key, drawing)
  return drawing
}

async function draw(clip: VideoPlayerClip, frame: number, renew: RenewClip): Promise<string> {
  const framePlayer = createFrameGrabber(clip, renew)
  try {
    const { video } = (await framePlayer.show({ frame, at: 0 })) ?? {}
    if (!video) throw new Error('The frame did not load.')
    const canvas = document.createElement('canvas')
    canvas.width = STILL_WIDTH_PX
    canvas.height = Math.round((STILL_WIDTH_PX * video.videoHeight) / video.videoWidth)
    canvas.getContext('2d')!.drawImage(video, 0, 0, canvas.width, canvas.height)
    const blob = await new Promise<Blob | null>(done => canvas.toBlob(done, 'image/jpeg', 0.85))
    return URL.createObjectURL(blob!)
  } finally {
    framePlayer.dispose()
  }
}
