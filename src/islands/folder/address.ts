/** The id in /player/folder/{id}. */
export const folderId = () => location.pathname.split('/').filter(Boolean).at(-1) ?? ''

/** What a page asks for: a folder, and the session that its address names (`?session=`), else the newest. */
export function wanted(folder = folderId(), session = new URLSearchParams(location.search).get('session')) {
  return { params: { folder }, query: session ? { session } : {} }
}

/** Where a session of a folder is read. */
export const sessionPath = (reader: 'player' | 'instructor', folder: string, session: string) =>
  `/${reader}/folder/${folder}?session=${session}`
