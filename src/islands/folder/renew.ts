import { call } from '../../client/api.ts'
import { foresee } from '../../client/query.ts'
import { wanted } from './address.ts'

/**
 * For `createPlayer`: a video of this folder with fresh addresses; the screen gets those of the others as well.
 * @throws where the server is out of reach, or the video is gone
 */
export const renewing = (folder: string, session?: string) => async (video: string) => {
  const input = wanted(folder, session)
  const fresh = await call('GET /api/folders/{folder}', input)
  foresee('GET /api/folders/{folder}', input, fresh)
  const clip = [...(fresh.session?.clips ?? []), ...fresh.clips].find(c => c.id === video)
  if (!clip) throw new Error('This video is not in its folder anymore.')
  return clip
}
