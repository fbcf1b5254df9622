import { useEffect, useRef } from 'react'
import { nearestStill } from './choose-and-paint-filmstrip-stills.ts'
import type { LoadedFilmstrip } from './use-filmstrip-image.ts'
import type { VideoPlayer } from './video-player.ts'

/** Covers the video with the still nearest to the current frame while the frame's own picture is late. */
export function NearestStill({ player, stills }: { player: VideoPlayer; stills: LoadedFilmstrip | undefined }) {
  const canvas = useRef<HTMLCanvasElement>(null)
  useEffect(() => {
    const element = canvas.current
    if (!element || !stills) return
    const { strip, image } = stills
    const show = () => {
      const frame = player.$frame.get()
      const still = nearestStill(strip, frame, Math.max(1, player.$frames.get()))
      const shown = player.shownFrame()
      // After a small step, the picture that the video still shows is nearer to the current frame than any still.
      element.hidden = !player.$isPictureLate.get() || shown === undefined || Math.abs(shown - frame) <= Math.abs(still.frame - frame)
      if (element.hidden) return
      const { width, height } = strip
      element.getContext('2d')?.drawImage(image, still.column * width, still.row * height, width, height, 0, 0, width, height)
    }
    const unsubscribes = [player.$isPictureLate.listen(show), player.$frame.listen(show)]
    show()
    return () => {
      for (const unsubscribe of unsubscribes) unsubscribe()
    }
  }, [player, stills])
  if (!stills) return null
  const { width, height } = stills.strip
  return <canvas ref={canvas} hidden {...{ width, height }} className="absolute inset-0 size-full bg-chalk object-contain" />
}
