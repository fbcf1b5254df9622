import { useRef, useState } from 'react'
import type { ModelClip } from '../../../modules/model-clips/contract.ts'
import { callApi } from '../../client/api.ts'

/**
 * A prepared clip with the browser's controls. The browser loads it on the first press of Play, when its URL may have expired: the first
 * failure fetches a new URL and plays it, the next one is reported.
 */
export function ModelClipVideo({ clip: { title, video } }: { clip: ModelClip }) {
  const element = useRef<HTMLVideoElement>(null)
  const hasNewUrl = useRef(false)
  const [hasFailed, setFailed] = useState(false)
  const playWithNewUrl = async () => {
    hasNewUrl.current = true
    setFailed(false)
    const library = await callApi('GET /api/model-clips').catch(() => null)
    const url = library?.clips.find(c => c.video.id === video.id)?.video.rendition?.url
    if (!url || !element.current) return setFailed(true)
    element.current.src = url
    // If the new URL does not load either, `onError` reports it.
    element.current.play().catch(() => {})
  }
  return (
    <>
      <video
        ref={element}
        controls
        muted
        playsInline
        preload="none"
        poster={video.poster ?? undefined}
        src={video.rendition?.url ?? undefined}
        onLoadedData={() => {
          hasNewUrl.current = false
        }}
        onError={() => (hasNewUrl.current ? setFailed(true) : playWithNewUrl())}
        aria-label={title}
        className="aspect-video w-full bg-ink object-contain"
      />
      {hasFailed && (
        <p role="alert" className="px-4 pt-4 text-14 font-medium text-red">
          This clip did not load. Check your connection.{' '}
          <button type="button" onClick={playWithNewUrl} className="link">
            Try again
          </button>
        </p>
      )}
    </>
  )
}
