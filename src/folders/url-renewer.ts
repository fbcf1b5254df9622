import { call } from '../client/api.ts'
import { setQueryData } from '../client/query.ts'
import { folderRequest } from './urls.ts'

/**
 * For `createPlayer`: a video of this folder with fresh addresses; the screen gets those of the others as well.
 * `folder` null: a sample, which lies beside the pages and has no other address.
 * @throws where the server is out of reach, or the video is gone
 */
export const createUrlRenewer = (folder: string | null, session?: string) => async (video: string) => {
  if (folder === null) throw new Error('The sample did not load.')
  const input = folderRequest(folder, session)
  const fresh = await call('GET /api/folders/{folder}', input)
  setQueryData('GET /api/folders/{folder}', input, fresh)
  const clip = [...(fresh.session?.clips ?? []), ...(fresh.session?.compared ?? []), ...fresh.clips].find(c => c.id === video)
  if (!clip) throw new Error('This video is not in its folder anymore.')
  return clip
}
