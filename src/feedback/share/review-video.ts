import { useEffect } from 'react'
import { callApi } from '../../client/api.ts'
import { refetchQueries, setQueryData, useQuery } from '../../client/query.ts'

/** Who requests a review's video: somebody who may read its folder, or the guardian of a minor. */
export type ReviewVideoRequester = { is: 'member'; folder: string; session: string } | { is: 'guardian'; child: string; session: string }

const OF_FOLDER = 'GET /api/folders/{folder}/review-video'
const OF_CHILD = 'GET /api/family/children/{child}/reviews/{assignment}/video'
const POLL_MS = 2000

const folderInput = ({ folder, session }: ReviewVideoRequester & { is: 'member' }) => ({ params: { folder }, query: { session } })
const childInput = ({ child, session }: ReviewVideoRequester & { is: 'guardian' }) => ({ params: { child, assignment: session } })

/** The state of a review's video on the server, polled while the video is being rendered. */
export function useReviewVideoStatus(requester: ReviewVideoRequester) {
  const ofFolder = useQuery(OF_FOLDER, requester.is === 'member' && folderInput(requester))
  const ofChild = useQuery(OF_CHILD, requester.is === 'guardian' && childInput(requester))
  const answer = requester.is === 'member' ? ofFolder : ofChild
  const isBeingMade = answer.data?.state === 'waiting' || answer.data?.state === 'preparing'
  useEffect(() => {
    if (!isBeingMade) return
    const timer = setInterval(() => refetchQueries(OF_FOLDER, OF_CHILD), POLL_MS)
    return () => clearInterval(timer)
  }, [isBeingMade])
  return { ...answer, isBeingMade }
}

/** Asks the server to render the video of a review, and puts the new state into the query cache. */
export async function requestReviewVideo(requester: ReviewVideoRequester) {
  if (requester.is === 'member') {
    const input = folderInput(requester)
    setQueryData(OF_FOLDER, input, await callApi('POST /api/folders/{folder}/review-video', input))
  } else {
    const input = childInput(requester)
    setQueryData(OF_CHILD, input, await callApi('POST /api/family/children/{child}/reviews/{assignment}/video', input))
  }
}

/** Fetches a fresh URL for the video, because an earlier one may have expired. Returns null if the video no longer exists. */
export async function fetchFreshReviewVideoUrl(requester: ReviewVideoRequester): Promise<string | null> {
  const fresh =
    requester.is === 'member' ? await callApi(OF_FOLDER, folderInput(requester)) : await callApi(OF_CHILD, childInput(requester))
  if (!fresh.url) await refetchQueries(OF_FOLDER, OF_CHILD)
  return fresh.url
}
