import type { Review } from '../../modules/folders/contract.ts'
import type { Session } from '../../modules/folders/folder.ts'
import { Refused } from '../../modules/kernel/store.ts'
import { mediaWork } from '../../modules/media/media-work.ts'
import { convertedVoiceKey, deliveredVoiceKey, draftVoiceKey } from '../../modules/media/object-keys.ts'
import { ObjectStoreUnavailable } from '../../modules/media/object-store.ts'
import { PUT_URL_SECONDS } from '../../modules/media/policy.ts'
import { voiceFiles as moving } from '../../modules/media/voice-files.ts'
import { voicesContract as contract, type PlayableVoice, type Voice } from '../../modules/reviews/contract.ts'
import { type FolderReader, sessionUnderReview } from './access.ts'
import type { Deps } from './deps.ts'
import { serve } from './route.ts'

export const voiceRoutes = serve(contract, {
  'POST /api/folders/{folder}/voices': async ctx => {
    const { id, review } = await sessionUnderReview(ctx, ctx.params.folder, ctx.query.session)
    if (review) throw new Refused('This feedback is delivered, so no voice-over can be added.', 'delivered')
    await ctx.deps.limits.take('voice', ctx.address, ctx.user.id)
    const url = await moving(ctx.deps.objects).sign(id, ctx.body)
    return { url, expires: new Date(Date.now() + PUT_URL_SECONDS * 1000).toISOString() }
  },
})

const length = (milliseconds: number) =>
  `${Math.floor(milliseconds / 60_000)}:${String(Math.floor(milliseconds / 1000) % 60).padStart(2, '0')}`

/** Which voice-over it is, as its instructor knows it. */
function named(review: Review, voice: Voice) {
  const note = review.notes.findIndex(n => n.voice === voice.id)
  return `The voice-over ${note < 0 ? 'over the whole review' : `of note ${note + 1}`} (${length(voice.milliseconds)})`
}

/** Every voice-over of a review that is about to be delivered has arrived, and is kept. @throws Refused with the one that has not */
export async function assertVoicesArrived({ objects }: Deps, { id, review: given }: Session, review: Review) {
  // What is final has its voices; whoever delivers it again hears that from the folder.
  if (given) return
  for (const [i, voice] of (review.voices ?? []).entries()) {
    if (await moving(objects).keep(id, voice, 'delivered')) continue
    const what = `${named(review, voice)} has not arrived yet.`
    throw new Refused(`${what} Open the review where you recorded it and let it upload, or delete it.`, 'voice-missing', `voices.${i}`)
  }
}

/**
 * Where the voice-overs of a delivered review are heard: as AAC without what the recording program wrote beside the sound, once that is
 * made. Until then its player waits for it; a recording that cannot be converted is heard as it is.
 */
export async function deliveredVoices(
  { sql, objects, clock }: Deps,
  assignment: string,
  spoken: readonly Voice[],
  reader: FolderReader,
): Promise<PlayableVoice[]> {
  const works = await mediaWork(sql).of(
    spoken.map(v => v.id),
    'voice',
  )
  return Promise.all(
    spoken.map(async ({ id, type }) => {
      const work = works.get(id)
      // An id is its sender's word: it may be that of another recording, too, and then nothing is made of this one.
      const own = !work || work.key === deliveredVoiceKey(assignment, id)
      if (own && work?.state === 'ready')
        return { id, url: await objects.watch(convertedVoiceKey(assignment, id), clock()), type: 'audio/mp4' }
      const awaited = own && work?.state !== 'refused'
      const url =
        awaited && (reader === 'player' || reader === 'guest') ? null : await objects.watch(deliveredVoiceKey(assignment, id), clock())
      return { id, url, type }
    }),
  )
}

/** Where the voice-overs of a draft are heard by who writes it: as they arrived, checked. Null for one that has not arrived. */
export const draftVoices = ({ objects, clock }: Deps, assignment: string, spoken: readonly Voice[]): Promise<PlayableVoice[]> =>
  Promise.all(
    spoken.map(async voice => {
      const arrived = await moving(objects)
        .keep(assignment, voice, 'draft')
        .catch(error => {
          // The rest of the folder is worth reading without its sounds.
          if (error instanceof ObjectStoreUnavailable) return false
          throw error
        })
      return { id: voice.id, type: voice.type, url: arrived ? await objects.watch(draftVoiceKey(assignment, voice.id), clock()) : null }
    }),
  )
