import type { VideoPlayerClip } from './clip-source.ts'
import { createVideoPlayer } from './video-player.ts'

/** If loading the clip, or showing a frame, takes longer than this, the frame counts as unavailable. */
const FRAME_TIMEOUT_MS = 20_000

/** Shows frames of one clip in a hidden <video>, so that a canvas can draw them. */
export interface FrameGrabber {
  /** Resolves to the <video> once it shows this frame; to null if this browser cannot show it (in time) or `signal` is aborted. */
  show(at: { frame?: number | undefined; at: number }): Promise<{ video: HTMLVideoElement; frame: number } | null>
  dispose(): void
}

/** `renew` takes the id of a video and returns its clip with fresh URLs. When `signal` aborts, every pending `show` resolves to null. */
export function createFrameGrabber(
  clip: VideoPlayerClip,
  renew: (video: string) => Promise<VideoPlayerClip>,
  signal?: AbortSignal,
): FrameGrabber {
  const video = document.createElement('video')
  video.muted = true
  video.playsInline = true
  // Without CORS, drawing the original would taint the canvas, and its pixels could not be read.
  video.crossOrigin = 'anonymous'
  video.setAttribute('aria-hidden', 'true')
  // Some browsers decode nothing for a <video> outside the document.
  video.className = 'pointer-events-none fixed top-0 left-0 -z-10 size-px opacity-0'
  document.body.append(video)
  const player = createVideoPlayer(renew)
  const detach = player.attach(video)
  player.load(clip)

  /** Waits until `answer` returns a boolean, and resolves to it; resolves to false after the timeout or when `signal` aborts. */
  const waitFor = (answer: () => boolean | undefined) =>
    new Promise<boolean>(resolve => {
      const settled = new AbortController()
      const end = (value: boolean | undefined) => {
        if (value === undefined) return
        settled.abort()
        resolve(value)
      }
      const unsubscribes = [player.$status, player.$isConfirmed, player.$unprovenFrame].map(store => store.listen(() => end(answer())))
      const timer = setTimeout(() => end(false), FRAME_TIMEOUT_MS)
      signal?.addEventListener('abort', () => end(false), { signal: settled.signal })
      settled.signal.addEventListener('abort', () => {
        clearTimeout(timer)
        for (const unsubscribe of unsubscribes) unsubscribe()
      })
      end(signal?.aborted ? false : answer())
    })
  const isPlayable = () => {
    const status = player.$status.get()
    return status === 'ready' ? true : ['unplayable', 'unreachable', 'unprepared'].includes(status) ? false : undefined
  }

  return {
    async show(at) {
      if (!(await waitFor(isPlayable))) return null
      const frame = player.frameOf(at)
      player.showFrame(frame)
      // `$unprovenFrame` ends the wait if no picture can be confirmed, for example because the clip has no frame table.
      const isShown = await waitFor(() =>
        player.$unprovenFrame.get() === frame ? false : (player.$isConfirmed.get() && player.$frame.get() === frame) || undefined,
      )
      return isShown ? { video, frame } : null
    },
    dispose() {
      detach?.()
      video.remove()
    },
  }
}
