import { useAddress } from '../client/told.ts'

/** The id in /player/folder/{id}. */
export const folderId = () => location.pathname.split('/').filter(Boolean).at(-1) ?? ''

/** What a page asks for: a folder, and the session that its address names (`?session=`), else the newest. */
export function wanted(folder = folderId(), session = new URLSearchParams(location.search).get('session')) {
  return { params: { folder }, query: session ? { session } : {} }
}

/** Whose screen of a folder it is. */
export type Reader = 'player' | 'instructor' | 'admin'

/** What the page asks for, on the server too. */
export function useWanted() {
  const { pathname, search } = useAddress()
  return wanted(pathname.split('/').filter(Boolean).at(-1) ?? '', new URLSearchParams(search).get('session'))
}

/** Where a session of a folder is read. */
export const sessionPath = (reader: Reader, folder: string, session: string) => `/${reader}/folder/${folder}?session=${session}`
