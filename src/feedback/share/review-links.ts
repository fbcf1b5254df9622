import { callApi } from '../../client/api.ts'
import { refetchQueries, useQuery } from '../../client/query.ts'
import { sendCommand } from '../../client/send-command.ts'

/** Who shares a review: the player who owns its folder, or the guardian of a minor. */
export type ReviewOwner = { is: 'player'; folder: string; session: string } | { is: 'guardian'; child: string; session: string }

const PLAYER_LINKS = 'GET /api/folders/{folder}/links'
const GUARDIAN_LINKS = 'GET /api/family/children/{child}/reviews/{assignment}/links'

const playerRequest = ({ folder, session }: ReviewOwner & { is: 'player' }) => ({ params: { folder }, query: { session } })
const guardianRequest = ({ child, session }: ReviewOwner & { is: 'guardian' }) => ({ params: { child, assignment: session } })

/** The private links to a review, the newest first. */
export function useReviewLinks(owner: ReviewOwner) {
  const own = useQuery(PLAYER_LINKS, owner.is === 'player' && playerRequest(owner))
  const family = useQuery(GUARDIAN_LINKS, owner.is === 'guardian' && guardianRequest(owner))
  return owner.is === 'player' ? own : family
}

const refetchLinks = () => refetchQueries(PLAYER_LINKS, GUARDIAN_LINKS)

/**
 * Creates a link. Its URL is available only now, because the server keeps only a hash of its secret.
 * @returns the URL
 */
export async function makeReviewLink(owner: ReviewOwner, link: { id: string; name: string }): Promise<string> {
  const { token } =
    owner.is === 'player'
      ? await callApi('POST /api/folders/{folder}/links', { ...playerRequest(owner), body: link })
      : await callApi('POST /api/family/children/{child}/reviews/{assignment}/links', { ...guardianRequest(owner), body: link })
  await refetchLinks()
  return new URL(`/shared/${token}`, location.origin).href
}

/** Revokes a link, which stops working for everybody who has it. */
export async function revokeReviewLink(owner: ReviewOwner, link: string) {
  if (owner.is === 'player') {
    await sendCommand('DELETE /api/folders/{folder}/links/{link}', { params: { folder: owner.folder, link } })
  } else {
    const { params } = guardianRequest(owner)
    await sendCommand('DELETE /api/family/children/{child}/reviews/{assignment}/links/{link}', { params: { ...params, link } })
  }
  await refetchLinks()
}
