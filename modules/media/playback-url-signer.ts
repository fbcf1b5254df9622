import { PLAYBACK_URL_REUSE_SECONDS } from './policy.ts'

/** Signs the URL of an object as of `signingDate`. */
type SignUrl = (key: string, signingDate: Date) => Promise<string>

/**
 * A cache of URLs by object key, all signed as of `signingTime` (ms since 1970). Without it, a screen that shows 100 posters would take
 * 40 ms, because signing one URL takes 0.4 ms.
 */
interface SignedUrls {
  readonly signingTime: number
  readonly byKey: Map<string, string>
}

/** The cache is emptied when it contains this many URLs, which take about 7 MB. */
export const MAX_CACHED_PLAYBACK_URLS = 10_000

/**
 * Returns a function that signs the URL to watch an object. The URL changes only every quarter of an hour, on the quarter hour, so that the
 * browser finds the object in its cache.
 */
export function playbackUrlSigner(sign: SignUrl): (key: string, now: Date) => Promise<string> {
  const intervalMs = PLAYBACK_URL_REUSE_SECONDS * 1000
  let signed: SignedUrls = { signingTime: 0, byKey: new Map() }
  return async (key, now) => {
    const signingTime = Math.floor(now.getTime() / intervalMs) * intervalMs
    if (signed.signingTime !== signingTime || signed.byKey.size >= MAX_CACHED_PLAYBACK_URLS) signed = { signingTime, byKey: new Map() }
    const { byKey } = signed
    const url = byKey.get(key) ?? (await sign(key, new Date(signingTime)))
    byKey.set(key, url)
    return url
  }
}
