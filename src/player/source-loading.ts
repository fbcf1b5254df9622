import type { FrameSeeker } from './frame-seeking.ts'
import { currentTarget, type PlayerMedia, type PlayerStatus, type PlayerStores } from './player-state.ts'
import { type Clip, isFetchable, openSource, type Source, UnpreparedError } from './source.ts'

/**
 * Opens clips in the <video>, asks for a fresh address when one stops working, and takes the rendition in place of the original once it is
 * there. `renew` returns a video (by its id) with fresh addresses; it is called once for each address that failed.
 */
export function createSourceLoader(media: PlayerMedia, stores: PlayerStores, seeker: FrameSeeker, renew: (video: string) => Promise<Clip>) {
  const { $status, $loadedPart, $playing } = stores
  let opening = new AbortController()
  const renewedAddresses = new Set<string>()

  async function open(clip: Clip) {
    opening.abort()
    const mine = new AbortController()
    opening = mine
    media.clip = clip
    if (!media.video) return
    media.pending = currentTarget(media, stores)
    $status.set('loading')
    $loadedPart.set(0)
    try {
      const opened = openSource(clip, $loadedPart.set, mine.signal)
      // Without anything to fetch the <video> gets its source in the same task.
      const source = 'src' in opened ? opened : await opened
      if (mine.signal.aborted) source.release()
      else switchTo(source)
    } catch (error) {
      if (opening !== mine) return
      if (error instanceof UnpreparedError) showNothing()
      else await renewAddress(clip.rendition?.url ?? clip.url ?? '')
    }
  }

  /** Takes the video before off the screen, as none takes its place yet. */
  function showNothing() {
    media.source?.release()
    media.source = undefined
    seeker.reset()
    media.video?.removeAttribute('src')
    media.video?.load()
    $status.set('unprepared')
  }

  function switchTo(source: Source) {
    media.source?.release()
    media.source = source
    media.calibration = undefined
    seeker.reset()
    if (!media.video) return
    media.video.src = source.src
    media.video.load()
  }

  /** Takes the rendition in place of the original, once it is there and while the video does not play. */
  async function switchToRendition() {
    const { signal } = opening
    const { clip } = media
    const isWanted = () =>
      media.clip?.rendition?.state === 'ready' && media.source?.isRendition === false && !$playing.get() && !signal.aborted
    if (!clip || !isWanted()) return
    const rendition = await Promise.resolve(openSource(clip, () => {}, signal)).catch(() => null)
    if (!rendition) return
    if (!isWanted()) return rendition.release()
    media.pending = currentTarget(media, stores)
    $status.set('loading')
    switchTo(rendition)
  }

  /**
   * An address does not deliver its video, or only a part of it. `mayBeUnplayable`: the <video> itself read it, and browsers report an
   * unreachable video as they report one that they cannot decode.
   */
  async function renewAddress(url: string, mayBeUnplayable = false) {
    const mine = opening
    const wasReady = $status.get() === 'ready'
    media.pending = currentTarget(media, stores)
    $playing.set(false)
    let next: PlayerStatus = 'unreachable'
    if (renewedAddresses.has(url)) {
      if (mayBeUnplayable && !wasReady && (await isFetchable(url))) next = 'unplayable'
    } else {
      renewedAddresses.add(url)
      $status.set('renewing')
      // The answer may be the same address: it deserves a second try, as the connection may have broken for a moment.
      const fresh = await renew(media.clip!.id).catch(() => null)
      if (fresh && opening === mine) return open(fresh)
    }
    // Another video may have been chosen meanwhile.
    if (opening === mine) $status.set(next)
  }

  return {
    open,
    switchToRendition,

    /** For the `error` event of the <video>. */
    async handleError() {
      const { video, clip, source } = media
      const { code } = video?.error ?? {}
      if (!code || !clip || !source) return
      if (code !== MediaError.MEDIA_ERR_DECODE && !source.src.startsWith('blob:')) return renewAddress(source.src, true)
      media.pending = currentTarget(media, stores)
      $playing.set(false)
      $status.set('unplayable')
    },

    /** Tries once more, with every address. */
    retry() {
      if (!media.clip) return
      renewedAddresses.clear()
      open(media.clip)
    },

    /** Ends all downloads and lets go of the source. */
    close() {
      opening.abort()
      media.source?.release()
      media.source = undefined
    },
  }
}
