import { callApi } from '../client/api.ts'
import { lastPathSegment } from '../client/last-path-segment.ts'
import { setQueryData } from '../client/query.ts'

export const SHARED_REVIEW_ENDPOINT = 'GET /api/shared/{token}'

/** The input of the call that reads the review of the private link in the URL. */
export const sharedReviewInput = () => ({ params: { token: lastPathSegment(location.pathname) }, query: {} })

/**
 * Fetches the review of a private link with newly signed URLs, and puts it into the query cache. This does not count as opening the link
 * again.
 */
export async function renewSharedReviewUrls() {
  const input = sharedReviewInput()
  const fresh = await callApi(SHARED_REVIEW_ENDPOINT, { ...input, query: { renewal: 'true' } })
  setQueryData(SHARED_REVIEW_ENDPOINT, input, fresh)
  return { session: fresh.session, clips: [] }
}
