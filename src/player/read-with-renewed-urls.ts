import { MediaFetchError } from './clip-source.ts'

/**
 * Reads a file from its signed URL. If the store does not deliver it, for example because the URL has expired, `renew` fetches `signed`
 * again with new URLs, and the file is read a second time.
 * @param signed the object that contains the URL, such as a clip or a session
 * @throws MediaFetchError if the second read fails, too; and whatever `renew` throws
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
