import { isFamilyPage } from '../client/is-family-page.ts'
import { lastPathSegment } from '../client/last-path-segment.ts'
import { usePageLocation } from '../page-load/preloaded-page-data-context.ts'

/** The last path segment of the URL, such as the id in /player/folder/{id}. */
export const folderIdInUrl = () => lastPathSegment(location.pathname)

/**
 * The input of `GET /api/folders/{folder}`, by default for the folder and session (`?session=`) in the URL. Without a session, the server
 * returns the newest.
 */
export function folderQueryInput(folder = folderIdInUrl(), session = new URLSearchParams(location.search).get('session')) {
  return { params: { folder }, query: session ? { session } : {} }
}

/** The call that reads the folder of this page; pages for guardians use a separate one. */
export const folderQueryEndpointOfPage = () =>
  isFamilyPage(location.pathname) ? ('GET /api/family/folders/{folder}' as const) : ('GET /api/folders/{folder}' as const)

/** The kind of viewer for whom a folder page is made; also the first segment of its path. */
export type FolderPageViewer = 'player' | 'instructor' | 'admin' | 'family'

/** Like `folderQueryInput()` for the URL of this page, but also works during server rendering. */
export function useFolderQueryInput() {
  const { pathname, search } = usePageLocation()
  return folderQueryInput(lastPathSegment(pathname), new URLSearchParams(search).get('session'))
}

export const sessionPath = (viewer: FolderPageViewer, folder: string, session: string) => `/${viewer}/folder/${folder}?session=${session}`
