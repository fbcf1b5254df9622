import { useStore } from '@nanostores/react'
import { useEffect, useState } from 'react'
import type { Filmstrip } from '../../modules/media/contract.ts'
import type { VideoPlayerClip } from './clip-source.ts'
import type { VideoPlayer } from './video-player.ts'

/** A filmstrip whose image is decoded. */
export interface LoadedFilmstrip {
  clipId: string
  strip: Filmstrip
  image: HTMLImageElement
}

/**
 * Returns the filmstrip of a clip, or undefined if it has none or the image has not loaded. The image loads only once the video is ready,
 * because viewers are waiting for the video.
 */
export function useFilmstrip(player: VideoPlayer, clip: VideoPlayerClip): LoadedFilmstrip | undefined {
  const ready = useStore(player.$status) === 'ready'
  const [found, setFound] = useState<LoadedFilmstrip>()
  const strip = clip.rendition?.filmstrip ?? undefined
  const needed = ready && found?.clipId !== clip.id
  useEffect(() => {
    if (!needed || !strip) return
    let isUnmounted = false
    const image = new Image()
    image.fetchPriority = 'low'
    image.crossOrigin = 'anonymous'
    image.src = strip.url
    image.decode().then(
      () => isUnmounted || setFound({ clipId: clip.id, strip, image }),
      // If the stills do not load, the strip stays plain.
      () => {},
    )
    return () => {
      isUnmounted = true
    }
  }, [needed, strip, clip.id])
  return found?.clipId === clip.id ? found : undefined
}
