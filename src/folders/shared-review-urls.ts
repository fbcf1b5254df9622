import { call } from '../client/api.ts'
import { setQueryData } from '../client/query.ts'
import { folderIdInUrl } from './urls.ts'

export const SHARED_REVIEW = 'GET /api/shared/{token}'

/** The input of the call that reads the review behind the private link in the address. */
export const sharedReviewRequest = () => ({ params: { token: folderIdInUrl() }, query: {} })

/** The review behind a private link with newly signed URLs, which the query cache gets. It does not count as opened again. */
export async function renewSharedReview() {
  const input = sharedReviewRequest()
  const fresh = await call(SHARED_REVIEW, { ...input, query: { renewal: 'true' } })
  setQueryData(SHARED_REVIEW, input, fresh)
  return { session: fresh.session, clips: [] }
}
