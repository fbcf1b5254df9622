import type { Session } from '../../modules/folders/contract.ts'
import type { Voice } from '../../modules/reviews/contract.ts'
import { createUrlRenewer } from '../folders/video-url-renewer.ts'

/** The server prepares a newly delivered voice-over within seconds; the replay waits for it this long. */
const PREPARATION_TIMEOUT_MS = 60_000
const PREPARATION_POLL_MS = 1000

/**
 * Returns a function that gets the URL of a delivered voice-over's sound. It renews URLs that have expired, and waits for a voice-over that
 * the server is still preparing. It throws an Error with a message for the viewer if there is no URL.
 * @param review returns the folder and the session as the screen shows them now
 */
export function createDeliveredVoiceUrlLoader(review: () => { folder: string | null; session: Pick<Session, 'voices'> }) {
  /** Signed URLs that the audio element has already received. If the replay requests the sound again, the URL has probably expired. */
  const usedUrls = new Set<string>()
  const knownUrl = (id: string) => review().session.voices.find(v => v.id === id)?.url ?? undefined
  const isBeingPrepared = (id: string) => review().session.voices.some(v => v.id === id && v.url === null)

  return async ({ id, video }: Pick<Voice, 'id' | 'video'>): Promise<string> => {
    const known = knownUrl(id)
    if (known && !usedUrls.has(known)) {
      usedUrls.add(known)
      return known
    }
    // The request that renews the URLs of the videos also renews those of the voice-overs. `createUrlRenewer` gets no session here, so that
    // it takes the session from the page's URL and repeats the page's own request: the screen renders only responses to that request.
    const renew = async () => {
      await createUrlRenewer(review().folder)(video)
      // React renders the response in a later task.
      return new Promise<string | undefined>(done => setTimeout(() => done(knownUrl(id))))
    }
    let fresh = await renew()
    for (const giveUp = Date.now() + PREPARATION_TIMEOUT_MS; isBeingPrepared(id) && Date.now() < giveUp; fresh = await renew()) {
      await new Promise(done => setTimeout(done, PREPARATION_POLL_MS))
    }
    if (isBeingPrepared(id)) throw new Error('This voice-over is being prepared. Try again in a moment.')
    if (!fresh) throw new Error('This voice-over did not load. Check your connection and try again.')
    usedUrls.add(fresh)
    return fresh
  }
}
