import type { IncomingMessage } from 'node:http'
import type { Profile } from '../../modules/instructors/contract.ts'
import type { CspOrigins } from '../security-headers.ts'
import type { RenderPage } from './astro-renderer.ts'
import { profileSlugIn } from './page-paths-and-redirects.ts'
import { buildPersonalPageResponse, type PageOrRedirect } from './page-responses.ts'

/**
 * Renders the profile page of an instructor whose profile is not public, for that instructor only; resolves to null for everybody else.
 * The API decides whose profile it is, by the cookies of the request.
 */
export const unpublishedProfilePreviewRenderer =
  (ask: (request: Request) => Response | Promise<Response>, render: RenderPage, around: CspOrigins) =>
  async (path: string, { headers }: IncomingMessage): Promise<PageOrRedirect | null> => {
    const slug = profileSlugIn(path)
    if (slug === undefined || !headers.cookie) return null
    const reply = await ask(
      new Request(`${around.origin}/api/profile`, { headers: { accept: 'application/json', cookie: headers.cookie } }),
    )
    if (!reply.ok) return null
    const profile = (await reply.json()) as Profile
    if (profile.user.profileSlug !== slug) return null
    const { body } = await render(path, { origin: around.origin, profile, isPreview: true })
    return { page: await buildPersonalPageResponse(body, body, around, headers['accept-encoding']) }
  }
export type UnpublishedProfilePreviewRenderer = ReturnType<typeof unpublishedProfilePreviewRenderer>
