/** What the browser knows of a video: zeros and no poster where it cannot decode it. Milliseconds and pixels. */
export interface Probed {
  milliseconds: number
  width: number
  height: number
  poster: Blob | null
  /** Mean of the still, 0 to 255; null without one. */
  brightness: number | null
}

const POSTER_WIDTH = 960
const POSTER_BYTES = 300_000
const PATIENCE = 4000
/** A first frame that iOS does not draw unasked is waited for no longer than this, in ms. */
const STILL = 2000

const once = (video: HTMLVideoElement, event: string, signal: AbortSignal) =>
  new Promise<void>((resolve, reject) => {
    const stop = new AbortController()
    const end = (then: () => void) => () => {
      stop.abort()
      then()
    }
    video.addEventListener(event, end(resolve), { signal: stop.signal })
    video.addEventListener(
      'error',
      end(() => reject(new Error('This browser cannot decode the video.'))),
      { signal: stop.signal },
    )
    signal.addEventListener(
      'abort',
      end(() => reject(signal.reason)),
      { signal: stop.signal },
    )
  })

/** Mean brightness of the picture shown, 0 to 255. */
function brightness(video: HTMLVideoElement): number | null {
  const canvas = document.createElement('canvas')
  canvas.width = canvas.height = 16
  const context = canvas.getContext('2d', { willReadFrequently: true })
  if (!context) return null
  context.drawImage(video, 0, 0, 16, 16)
  const { data } = context.getImageData(0, 0, 16, 16)
  let sum = 0
  for (let i = 0; i < data.length; i += 4) sum += 0.2126 * data[i]! + 0.7152 * data[i + 1]! + 0.0722 * data[i + 2]!
  return sum / (data.length / 4)
}

async function jpeg(video: HTMLVideoElement): Promise<Blob | null> {
  const scale = Math.min(1, POSTER_WIDTH / video.videoWidth)
  const canvas = document.createElement('canvas')
  canvas.width = Math.max(1, Math.round(video.videoWidth * scale))
  canvas.height = Math.max(1, Math.round(video.videoHeight * scale))
  canvas.getContext('2d')?.drawImage(video, 0, 0, canvas.width, canvas.height)
  for (const quality of [0.82, 0.6, 0.35]) {
    const blob = await new Promise<Blob | null>(done => canvas.toBlob(done, 'image/jpeg', quality))
    if (blob && blob.size <= POSTER_BYTES) return blob
  }
  return null
}

/** Looks into a video file: its length, its size, and a still from a third of the way in. Never throws. */
export async function probe(file: Blob): Promise<Probed> {
  const found: Probed = { milliseconds: 0, width: 0, height: 0, poster: null, brightness: null }
  const url = URL.createObjectURL(file)
  const video = document.createElement('video')
  const patience = AbortSignal.timeout(PATIENCE)
  try {
    video.muted = true
    video.playsInline = true
    video.preload = 'auto'
    const known = once(video, 'loadedmetadata', patience)
    video.src = url
    await known
    if (video.duration === Number.POSITIVE_INFINITY) {
      // A recording without a length in its head: its end tells.
      const measured = once(video, 'durationchange', patience)
      video.currentTime = Number.MAX_SAFE_INTEGER
      await measured
    }
    found.milliseconds = Math.round(video.duration * 1000) || 0
    // Only its sound can be played here: what would be drawn is black.
    if (!video.videoWidth) return found
    found.width = video.videoWidth
    found.height = video.videoHeight
    const drawn = once(video, 'seeked', AbortSignal.timeout(STILL))
    video.currentTime = video.duration / 3
    await drawn
    found.brightness = brightness(video)
    found.poster = await jpeg(video)
  } catch {
    // A codec that this browser lacks, or a file too odd: it uploads all the same, with the plain poster.
  } finally {
    video.removeAttribute('src')
    video.load()
    URL.revokeObjectURL(url)
  }
  return found
}
