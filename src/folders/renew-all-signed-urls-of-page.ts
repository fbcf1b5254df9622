import { refetchQueries } from '../client/query.ts'
import { folderQueryEndpointOfPage } from './folder-page-urls-and-query.ts'
import { isSharedReviewPage } from './video-url-renewer.ts'

/** Refetches the folder, or the review of a private link, that this page shows, because its reply has fresh URLs. */
export const renewAllSignedUrlsOfPage = async (): Promise<unknown> =>
  isSharedReviewPage() ? (await import('./shared-review-query.ts')).renewSharedReviewUrls() : refetchQueries(folderQueryEndpointOfPage())
