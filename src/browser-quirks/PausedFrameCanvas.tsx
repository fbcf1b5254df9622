import { useEffect, useRef } from 'react'

/**
 * Covers a paused video with a copy of its current frame. WebKit's GStreamer sink (on Linux) sometimes paints nothing after a seek,
 * although the <video> holds the frame.
 */
export function PausedFrameCanvas() {
  const canvas = useRef<HTMLCanvasElement>(null)
  useEffect(() => {
    const copy = canvas.current!
    const video = copy.parentElement!.querySelector('video')!
    if (!('requestVideoFrameCallback' in video)) return
    const unmounted = new AbortController()
    const hide = () => {
      copy.hidden = true
    }
    let callback = 0
    const watch = () => {
      callback = video.requestVideoFrameCallback(() => {
        watch()
        // Only a rendition held in memory has a blob: URL. An original must not be copied, because some browsers ignore the rotation in its
        // metadata when they draw it on a canvas.
        if (!video.paused || !video.currentSrc.startsWith('blob:')) return hide()
        copy.width = video.videoWidth
        copy.height = video.videoHeight
        copy.getContext('2d')?.drawImage(video, 0, 0)
        copy.hidden = false
      })
    }
    watch()
    for (const event of ['play', 'emptied']) video.addEventListener(event, hide, { signal: unmounted.signal })
    return () => {
      unmounted.abort()
      video.cancelVideoFrameCallback(callback)
    }
  }, [])
  return <canvas ref={canvas} hidden className="absolute inset-0 size-full object-contain" />
}
