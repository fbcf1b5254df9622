import { usePageAddress } from '../page-load/preloaded-page.ts'

/** The id in /player/folder/{id}. */
export const folderIdInUrl = () => location.pathname.split('/').filter(Boolean).at(-1) ?? ''

/** What a page asks for: a folder, and the session that its address names (`?session=`), else the newest. */
export function folderRequest(folder = folderIdInUrl(), session = new URLSearchParams(location.search).get('session')) {
  return { params: { folder }, query: session ? { session } : {} }
}

/** Whose screen of a folder it is. */
export type ViewerRole = 'player' | 'instructor' | 'admin'

/** What the page asks for, on the server too. */
export function useFolderRequest() {
  const { pathname, search } = usePageAddress()
  return folderRequest(pathname.split('/').filter(Boolean).at(-1) ?? '', new URLSearchParams(search).get('session'))
}

/** Where a session of a folder is read. */
export const sessionPath = (reader: ViewerRole, folder: string, session: string) => `/${reader}/folder/${folder}?session=${session}`
