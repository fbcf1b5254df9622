/** What the browser found by loading a video, in milliseconds and pixels; 0 or null for what it could not determine. */
export interface PlaybackTestResult {
  milliseconds: number
  width: number
  height: number
  poster: Blob | null
  /** Mean brightness of the poster, 0 to 255; null without a poster. */
  brightness: number | null
}

const POSTER_WIDTH_PX = 960
const MAX_POSTER_BYTES = 300_000
const LOAD_TIMEOUT_MS = 4000
/** iOS may decode no frame before a user gesture, so after this time the video is uploaded without a poster. */
const STILL_TIMEOUT_MS = 2000

/** Resolves when the event fires. @throws Error if the video cannot be decoded; the signal's reason if it aborts */
const nextEvent = (video: HTMLVideoElement, event: string, signal: AbortSignal) =>
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

/** Mean brightness (BT.709 luma) of the shown frame, 0 to 255; null if there is no 2D context. */
function meanBrightness(video: HTMLVideoElement): number | null {
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

/** A JPEG of the shown frame at the best quality that fits into `MAX_POSTER_BYTES`; null if none fits. */
async function makePoster(video: HTMLVideoElement): Promise<Blob | null> {
  const scale = Math.min(1, POSTER_WIDTH_PX / video.videoWidth)
  const canvas = document.createElement('canvas')
  canvas.width = Math.max(1, Math.round(video.videoWidth * scale))
  canvas.height = Math.max(1, Math.round(video.videoHeight * scale))
  canvas.getContext('2d')?.drawImage(video, 0, 0, canvas.width, canvas.height)
  for (const quality of [0.82, 0.6, 0.35]) {
    const blob = await new Promise<Blob | null>(done => canvas.toBlob(done, 'image/jpeg', quality))
    if (blob && blob.size <= MAX_POSTER_BYTES) return blob
  }
  return null
}

/** Loads a file into a detached <video> and reads its duration, its dimensions, and a still from one third into the video. Never throws. */
export async function testPlayback(file: Blob): Promise<PlaybackTestResult> {
  const playbackTest: PlaybackTestResult = { milliseconds: 0, width: 0, height: 0, poster: null, brightness: null }
  const url = URL.createObjectURL(file)
  const video = document.createElement('video')
  const timeout = AbortSignal.timeout(LOAD_TIMEOUT_MS)
  try {
    video.muted = true
    video.playsInline = true
    video.preload = 'auto'
    const metadata = nextEvent(video, 'loadedmetadata', timeout)
    video.src = url
    await metadata
    if (video.duration === Number.POSITIVE_INFINITY) {
      // Recordings made in a browser have no length in their header: seeking past the end makes the browser compute it.
      const newDuration = nextEvent(video, 'durationchange', timeout)
      video.currentTime = Number.MAX_SAFE_INTEGER
      await newDuration
    }
    playbackTest.milliseconds = Math.round(video.duration * 1000) || 0
    // Without a width, this browser plays only the sound, so a still would be black.
    if (!video.videoWidth) return playbackTest
    playbackTest.width = video.videoWidth
    playbackTest.height = video.videoHeight
    const still = nextEvent(video, 'seeked', AbortSignal.timeout(STILL_TIMEOUT_MS))
    video.currentTime = video.duration / 3
    await still
    playbackTest.brightness = meanBrightness(video)
    playbackTest.poster = await makePoster(video)
  } catch {
    // The browser lacks the codec, or the file is damaged: the video is still uploaded, with a placeholder poster.
  } finally {
    video.removeAttribute('src')
    video.load()
    URL.revokeObjectURL(url)
  }
  return playbackTest
}
