import { ApiError, callApi } from '../client/api.ts'
import { forgetUpload } from './unfinished-uploads.ts'

/** How long the server refuses to discard an upload after its last try to add the video (`COMPLETION_GRACE_MS`), and a second more. */
const RETRY_AFTER_MS = 16_000

const requestDiscard = (id: string) => callApi('DELETE /api/uploads/{upload}', { params: { upload: id } })

/** Deletes an upload that is not a video yet, on the server and from this device's list. Never throws. */
export async function discardUpload(id: string) {
  forgetUpload(id)
  await requestDiscard(id)
    .catch(async error => {
      if (!(error instanceof ApiError && error.code === 'in-progress')) throw error
      await new Promise(resolve => setTimeout(resolve, RETRY_AFTER_MS))
      await requestDiscard(id)
    })
    .catch(() => {
      // The server does not have this upload, or cannot be reached; a daily job deletes what remains in the store.
    })
}
