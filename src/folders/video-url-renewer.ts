import { callApi, type Reply } from '../client/api.ts'
import { setQueryData } from '../client/query.ts'
import { folderQueryEndpointOfPage, folderQueryInput } from './folder-page-urls-and-query.ts'

type Renewed = Pick<Reply<'GET /api/folders/{folder}'>, 'clips' | 'session'>

/** Fetches the folder of this page with newly signed URLs. They go into the query cache, so the whole screen gets them. */
async function renewFolder(folder: string, session: string | undefined): Promise<Renewed> {
  const input = folderQueryInput(folder, session)
  const fresh = await callApi(folderQueryEndpointOfPage(), input)
  setQueryData(folderQueryEndpointOfPage(), input, fresh)
  return fresh
}

export const isSharedReviewPage = () => location.pathname.startsWith('/shared/')

/** Loaded on demand, because only the page of a private link needs it. */
const renewSharedReview = async (): Promise<Renewed> => (await import('./shared-review-query.ts')).renewSharedReviewUrls()

/**
 * Returns the `renew` function for `createVideoPlayer`: it fetches a video of this folder with newly signed URLs, because URLs expire. The
 * query cache, and therefore the whole screen, also gets the new URLs of the other videos.
 * @param folder null for the review of a private link, and for the sample, whose files are static and whose URLs never expire
 * @throws ApiError; TypeError if the server cannot be reached; Error for the sample, or if the folder no longer contains the video
 */
export const createUrlRenewer = (folder: string | null, session?: string) => async (video: string) => {
  if (folder === null && !isSharedReviewPage()) throw new Error('The sample did not load.')
  const fresh = await (folder === null ? renewSharedReview() : renewFolder(folder, session))
  const clip = [...(fresh.session?.clips ?? []), ...(fresh.session?.compared ?? []), ...fresh.clips].find(c => c.id === video)
  if (!clip) throw new Error('This video is no longer in its folder.')
  return clip
}
