import { PLAYBACK_URL_REUSE_SECONDS } from './policy.ts'

/** Signs the URL of an object as of `signingDate`. */
type SignUrl = (key: string, signingDate: Date) => Promise<string>

/** URLs by object key, all signed as of the start of the same interval. Signing one takes 0.4 ms, and a screen may show 100 posters. */
interface SignedUrls {
  readonly signingTime: number
  readonly byKey: Map<string, string>
}

/** This many URLs take about 7 MB. */
export const MAX_CACHED_PLAYBACK_URLS = 10_000

/**
 * Returns a function that signs the URL to watch an object. The URL stays the same for a quarter of an hour, so that the browser finds the
 * object in its cache.
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
