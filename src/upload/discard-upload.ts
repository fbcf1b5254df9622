import { ApiError, callApi } from '../client/api.ts'
import { forgetUpload } from './unfinished-uploads.ts'

/** One second more than `COMPLETION_GRACE_MS`: for that long after an attempt to complete an upload, the server refuses to discard it. */
const RETRY_AFTER_MS = 16_000

const requestDiscard = (id: string) => callApi('DELETE /api/uploads/{upload}', { params: { upload: id } })

/**
 * Deletes an upload that is not a video yet, on the server and from this device's list. Never throws. Resolves to true if it has become a
 * video in the meantime, because another tab or device completed it.
 */
export async function discardUpload(id: string): Promise<boolean> {
  forgetUpload(id)
  return requestDiscard(id)
    .catch(async error => {
      if (!(error instanceof ApiError && error.code === 'in-progress')) throw error
      await new Promise(resolve => setTimeout(resolve, RETRY_AFTER_MS))
      await requestDiscard(id)
    })
    .then(
      () => false,
      // Otherwise the server does not have this upload, or cannot be reached. An hourly job deletes uploads left unfinished for a day.
      error => error instanceof ApiError && error.code === 'arrived',
    )
}
