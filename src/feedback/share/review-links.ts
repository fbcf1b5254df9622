import { callApi } from '../../client/api.ts'
import { refetchQueries, useQuery } from '../../client/query.ts'
import { sendCommand } from '../../client/send-command.ts'

/** Who shares a review: the player who owns its folder, or the guardian of a minor. */
export type ReviewSharer = { is: 'player'; folder: string; session: string } | { is: 'guardian'; child: string; session: string }

const PLAYER_LINKS = 'GET /api/folders/{folder}/links'
const GUARDIAN_LINKS = 'GET /api/family/children/{child}/reviews/{assignment}/links'

const playerRequest = ({ folder, session }: ReviewSharer & { is: 'player' }) => ({ params: { folder }, query: { session } })
const guardianRequest = ({ child, session }: ReviewSharer & { is: 'guardian' }) => ({ params: { child, assignment: session } })

/** The private links to a review, newest first. */
export function useReviewLinksQuery(sharer: ReviewSharer) {
  const own = useQuery(PLAYER_LINKS, sharer.is === 'player' && playerRequest(sharer))
  const family = useQuery(GUARDIAN_LINKS, sharer.is === 'guardian' && guardianRequest(sharer))
  return sharer.is === 'player' ? own : family
}

const refetchLinks = () => refetchQueries(PLAYER_LINKS, GUARDIAN_LINKS)

/**
 * Creates a link. Its URL is available only now, because the server keeps only a hash of its secret.
 * @returns the URL
 */
export async function makeReviewLink(sharer: ReviewSharer, link: { id: string; name: string }): Promise<string> {
  const { token } =
    sharer.is === 'player'
      ? await callApi('POST /api/folders/{folder}/links', { ...playerRequest(sharer), body: link })
      : await callApi('POST /api/family/children/{child}/reviews/{assignment}/links', { ...guardianRequest(sharer), body: link })
  await refetchLinks()
  return new URL(`/shared/${token}`, location.origin).href
}

/** Revokes a link, which then stops working for everybody who has it. */
export async function revokeReviewLink(sharer: ReviewSharer, link: string) {
  if (sharer.is === 'player') {
    await sendCommand('DELETE /api/folders/{folder}/links/{link}', { params: { folder: sharer.folder, link } })
  } else {
    const { params } = guardianRequest(sharer)
    await sendCommand('DELETE /api/family/children/{child}/reviews/{assignment}/links/{link}', { params: { ...params, link } })
  }
  await refetchLinks()
}
