import type { Review } from '../../modules/folders/contract.ts'
import type { FolderSession } from '../../modules/folders/folder.ts'
import { CommandRefused } from '../../modules/kernel/store.ts'
import { mediaJobQueue } from '../../modules/media/media-job-queue.ts'
import { convertedVoiceKey, deliveredVoiceKey, draftVoiceKey } from '../../modules/media/object-keys.ts'
import { ObjectStoreUnavailableError } from '../../modules/media/object-store-errors.ts'
import { TRANSFER_URL_SECONDS } from '../../modules/media/policy.ts'
import { voiceUploads } from '../../modules/media/voice-uploads.ts'
import { voiceUploadContract as contract, type Voice, type VoiceWithSignedUrl } from '../../modules/reviews/contract.ts'
import { type FolderViewerRole, loadAssignedSession } from './access.ts'
import type { AppDependencies } from './app-dependencies.ts'
import { routesOfContract } from './routing.ts'

export const voiceUploadUrlRoutes = routesOfContract(contract, {
  'POST /api/folders/{folder}/voices': async ctx => {
    const { id, review } = await loadAssignedSession(ctx, ctx.params.folder, ctx.query.session)
    if (review) throw new CommandRefused('This feedback has been delivered, so no voice-over can be added.', 'delivered')
    await ctx.deps.limits.take('voice', ctx.address, ctx.user.id)
    const url = await voiceUploads(ctx.deps.objects).sign(id, ctx.body)
    return { url, expires: new Date(Date.now() + TRANSFER_URL_SECONDS * 1000).toISOString() }
  },
})

const length = (milliseconds: number) =>
  `${Math.floor(milliseconds / 60_000)}:${String(Math.floor(milliseconds / 1000) % 60).padStart(2, '0')}`

/** Describes a voice-over for an error message: 'The voice-over of note 2 (0:34)'. */
function describeVoiceOver(review: Review, voice: Voice) {
  const note = review.notes.findIndex(n => n.voice === voice.id)
  return `The voice-over ${note < 0 ? 'over the whole review' : `of note ${note + 1}`} (${length(voice.milliseconds)})`
}

/** Checks that all voice-overs of a review have been uploaded, and retains them. @throws CommandRefused that names the missing one */
export async function retainVoicesOrRefuseDelivery({ objects }: AppDependencies, { id, review: given }: FolderSession, review: Review) {
  // After the delivery there is nothing left to check; the folder's decider handles a repeated delivery.
  if (given) return
  for (const [i, voice] of (review.voices ?? []).entries()) {
    if (await voiceUploads(objects).keep(id, voice, 'delivered')) continue
    const missingVoiceMessage = `${describeVoiceOver(review, voice)} has not arrived yet.`
    throw new CommandRefused(
      `${missingVoiceMessage} Open the review where you recorded it and let it upload, or delete it.`,
      'voice-missing',
      `voices.${i}`,
    )
  }
}

/**
 * The URLs of a delivered review's voice-overs, converted to AAC without the metadata of the recording program. Until a recording has been
 * converted, the instructor and administrators get it as uploaded, and everyone else gets null. If it cannot be converted, everyone gets
 * it as uploaded.
 */
export async function deliveredVoiceSources(
  { sql, objects, clock }: AppDependencies,
  assignment: string,
  spoken: readonly Voice[],
  viewer: FolderViewerRole,
): Promise<VoiceWithSignedUrl[]> {
  const works = await mediaJobQueue(sql).of(
    spoken.map(v => v.id),
    'voice',
  )
  return Promise.all(
    spoken.map(async ({ id, type }) => {
      const work = works.get(id)
      // The client chooses the id, so it may collide with another recording's id. In that case this recording was not converted.
      const own = !work || work.key === deliveredVoiceKey(assignment, id)
      if (own && work?.state === 'ready')
        return { id, url: await objects.signPlayback(convertedVoiceKey(assignment, id), clock()), type: 'audio/mp4' }
      const awaited = own && work?.state !== 'refused'
      const mayHearRecording = viewer === 'instructor' || viewer === 'admin'
      const url = awaited && !mayHearRecording ? null : await objects.signPlayback(deliveredVoiceKey(assignment, id), clock())
      return { id, url, type }
    }),
  )
}

/**
 * Retains the uploaded voice-overs of a draft, and returns their URLs for its author. A URL is null if the recording is not uploaded yet or
 * the object store is unavailable.
 */
export const retainAndSignDraftVoices = (
  { objects, clock }: AppDependencies,
  assignment: string,
  spoken: readonly Voice[],
): Promise<VoiceWithSignedUrl[]> =>
  Promise.all(
    spoken.map(async voice => {
      const arrived = await voiceUploads(objects)
        .keep(assignment, voice, 'draft')
        .catch(error => {
          // The folder is still useful without its voice-overs.
          if (error instanceof ObjectStoreUnavailableError) return false
          throw error
        })
      return {
        id: voice.id,
        type: voice.type,
        url: arrived ? await objects.signPlayback(draftVoiceKey(assignment, voice.id), clock()) : null,
      }
    }),
  )
