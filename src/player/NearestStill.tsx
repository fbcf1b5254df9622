import { useEffect, useRef } from 'react'
import { nearestStill } from './filmstrip-layout.ts'
import type { Player } from './player.ts'
import type { LoadedFilmstrip } from './use-filmstrip.ts'

/** Covers the video with the still nearest to the current frame while the frame's own picture is late. */
export function NearestStill({ player, stills }: { player: Player; stills: LoadedFilmstrip | undefined }) {
  const canvas = useRef<HTMLCanvasElement>(null)
  useEffect(() => {
    const at = canvas.current
    if (!at || !stills) return
    const { strip, image } = stills
    const show = () => {
      const frame = player.$frame.get()
      const still = nearestStill(strip, frame, Math.max(1, player.$frames.get()))
      const seen = player.shownFrame()
      // Within a few frames the old picture is nearer than any still.
      at.hidden = !player.$isPictureLate.get() || seen === undefined || Math.abs(seen - frame) <= Math.abs(still.frame - frame)
      if (at.hidden) return
      const { width, height } = strip
      at.getContext('2d')?.drawImage(image, still.column * width, still.row * height, width, height, 0, 0, width, height)
    }
    const stop = [player.$isPictureLate.listen(show), player.$frame.listen(show)]
    show()
    return () => {
      for (const end of stop) end()
    }
  }, [player, stills])
  if (!stills) return null
  const { width, height } = stills.strip
  return <canvas ref={canvas} hidden {...{ width, height }} className="absolute inset-0 size-full bg-chalk object-contain" />
}
