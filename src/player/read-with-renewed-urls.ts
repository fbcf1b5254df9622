import { MediaFetchError } from './clip-source.ts'

/**
 * Reads a file by its signed URL. If the store refuses it, which it does once the URL has expired, `renew` fetches `signed` with new URLs, and
 * the file is read once more.
 * @param signed what has the URL, such as a clip or a session
 * @throws MediaFetchError if the store refuses it again, and whatever `renew` throws
 */
export async function readWithRenewedUrls<Signed, T>(
  signed: Signed,
  renew: () => Promise<Signed>,
  read: (signed: Signed) => Promise<T>,
): Promise<T> {
  try {
    return await read(signed)
  } catch (error) {
    if (!(error instanceof MediaFetchError)) throw error
    return read(await renew())
  }
}
