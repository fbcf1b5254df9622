import { refetchQueries } from '../client/query.ts'
import { folderEndpoint } from './folder-urls.ts'
import { isSharedReviewPage } from './video-url-renewer.ts'

/** Refetches everything that this page shows, to get fresh URLs. */
export const renewSignedUrls = async (): Promise<unknown> =>
  isSharedReviewPage() ? (await import('./shared-review-query.ts')).renewSharedReviewUrls() : refetchQueries(folderEndpoint())
