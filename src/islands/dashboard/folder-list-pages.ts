import { callApi, type Reply } from '../../client/api.ts'

/** Converts a reply with folders to the form that `useMorePages` expects. */
export const convertFoldersReplyToListPage = ({ folders, next }: Pick<Reply<'GET /api/folders'>, 'folders' | 'next'>) => ({
  rows: folders,
  next,
})

/** Loads the next page of folders. `before`: the cursor that came with the previous page. */
export const fetchNextFolderPage = async (before: string) =>
  convertFoldersReplyToListPage(await callApi('GET /api/folders', { query: { before } }))
export const fetchNextArchivedFolderPage = async (before: string) =>
  convertFoldersReplyToListPage(await callApi('GET /api/folders', { query: { before, archived: 'true' } }))
