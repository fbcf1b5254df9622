import { refetchQueries } from '../client/query.ts'
import { isSharedReview } from './url-renewer.ts'
import { folderEndpoint } from './urls.ts'

/** Refetches everything that this page shows, to get fresh URLs. */
export const renewPageUrls = async (): Promise<unknown> =>
  isSharedReview() ? (await import('./shared-review-urls.ts')).renewSharedReview() : refetchQueries(folderEndpoint())
