import { useStore } from '@nanostores/react'
import { useEffect, useState } from 'react'
import type { Filmstrip } from '../../modules/media/contract.ts'
import type { Player } from './player.ts'
import type { Clip } from './source.ts'

export interface Stills {
  /** Of which clip. */
  id: string
  strip: Filmstrip
  image: HTMLImageElement
}

/** The picture of all stills, once it is here; it comes after the video, which one waits for. */
export function useStills(player: Player, clip: Clip): Stills | undefined {
  const ready = useStore(player.$ability) === 'ready'
  const [found, setFound] = useState<Stills>()
  const strip = clip.rendition?.filmstrip ?? undefined
  const needed = ready && found?.id !== clip.id
  useEffect(() => {
    if (!needed || !strip) return
    let over = false
    const image = new Image()
    image.fetchPriority = 'low'
    image.crossOrigin = 'anonymous'
    image.src = strip.url
    image.decode().then(
      () => over || setFound({ id: clip.id, strip, image }),
      // Without them the strip is plain.
      () => {},
    )
    return () => {
      over = true
    }
  }, [needed, strip, clip.id])
  return found?.id === clip.id ? found : undefined
}
