import { usePageAddress } from '../page-load/preloaded-page.ts'

/** The id in /player/folder/{id}. */
export const folderIdInUrl = () => location.pathname.split('/').filter(Boolean).at(-1) ?? ''

/** The input of `GET /api/folders/{folder}`: by default for the folder and session (`?session=`) in the address; without one it is the newest. */
export function folderRequest(folder = folderIdInUrl(), session = new URLSearchParams(location.search).get('session')) {
  return { params: { folder }, query: session ? { session } : {} }
}

/** The call that reads the folder of this page: a guardian's pages have one of their own. */
export const folderCall = () =>
  location.pathname.startsWith('/family/') ? ('GET /api/family/folders/{folder}' as const) : ('GET /api/folders/{folder}' as const)

/** The role of the person whose screen shows the folder. */
export type ViewerRole = 'player' | 'instructor' | 'admin' | 'family'

/** The same for the address of this page, also where the server renders it. */
export function useFolderRequest() {
  const { pathname, search } = usePageAddress()
  return folderRequest(pathname.split('/').filter(Boolean).at(-1) ?? '', new URLSearchParams(search).get('session'))
}

/** The address of a session of a folder. */
export const sessionPath = (reader: ViewerRole, folder: string, session: string) => `/${reader}/folder/${folder}?session=${session}`
