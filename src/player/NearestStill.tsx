import { useEffect, useRef } from 'react'
import type { Player } from './player.ts'
import type { Stills } from './stills.ts'
import { stillOf } from './strip.ts'

/** Over the video while its pictures are late: the still that is nearest to where one is. It goes when the frame itself is there. */
export function Near({ player, stills }: { player: Player; stills: Stills | undefined }) {
  const canvas = useRef<HTMLCanvasElement>(null)
  useEffect(() => {
    const at = canvas.current
    if (!at || !stills) return
    const { strip, image } = stills
    const show = () => {
      const frame = player.$frame.get()
      const still = stillOf(strip, frame, Math.max(1, player.$frames.get()))
      const seen = player.seen()
      // A few frames on, what one sees already is nearer than any still.
      at.hidden = !player.$late.get() || seen === undefined || Math.abs(seen - frame) <= Math.abs(still.frame - frame)
      if (at.hidden) return
      const { width, height } = strip
      at.getContext('2d')?.drawImage(image, still.column * width, still.row * height, width, height, 0, 0, width, height)
    }
    const stop = [player.$late.listen(show), player.$frame.listen(show)]
    show()
    return () => {
      for (const end of stop) end()
    }
  }, [player, stills])
  if (!stills) return null
  const { width, height } = stills.strip
  return <canvas ref={canvas} hidden {...{ width, height }} className="absolute inset-0 size-full bg-chalk object-contain" />
}
