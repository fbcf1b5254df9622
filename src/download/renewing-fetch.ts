import { MediaFetchError } from '../player/clip-source.ts'

/**
 * Returns a function that calls `fetchFrom` with the files of a session, by their signed URLs. These are valid for a quarter of an hour at least, but
 * on a slow line a session takes longer to download: if they have expired, it gets new ones and calls `fetchFrom` once more.
 * @param renew fetches the files with newly signed URLs
 */
export function createRenewingFetch<Files>(files: Files, renew: () => Promise<Files>) {
  let newest = files
  /** @throws MediaFetchError if new URLs do not help; what `renew` throws */
  return async <T>(fetchFrom: (files: Files) => Promise<T>): Promise<T> => {
    try {
      return await fetchFrom(newest)
    } catch (error) {
      if (!(error instanceof MediaFetchError)) throw error
      newest = await renew()
      return fetchFrom(newest)
    }
  }
}
