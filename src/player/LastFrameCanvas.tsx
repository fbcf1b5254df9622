import { useEffect, useRef } from 'react'

/**
 * Over a video that stands: its picture once more. WebKit's sink for GStreamer (on Linux) sometimes paints nothing after a seek, though the
 * video holds the frame.
 */
export function Kept() {
  const canvas = useRef<HTMLCanvasElement>(null)
  useEffect(() => {
    const at = canvas.current!
    const video = at.parentElement!.querySelector('video')!
    if (!('requestVideoFrameCallback' in video)) return
    const gone = new AbortController()
    const hide = () => {
      at.hidden = true
    }
    let asked = 0
    const watch = () => {
      asked = video.requestVideoFrameCallback(() => {
        watch()
        // An original may have to be turned, which a canvas does not do everywhere.
        if (!video.paused || !video.currentSrc.startsWith('blob:')) return hide()
        at.width = video.videoWidth
        at.height = video.videoHeight
        at.getContext('2d')?.drawImage(video, 0, 0)
        at.hidden = false
      })
    }
    watch()
    for (const event of ['play', 'emptied']) video.addEventListener(event, hide, { signal: gone.signal })
    return () => {
      gone.abort()
      video.cancelVideoFrameCallback(asked)
    }
  }, [])
  return <canvas ref={canvas} hidden className="absolute inset-0 size-full object-contain" />
}
