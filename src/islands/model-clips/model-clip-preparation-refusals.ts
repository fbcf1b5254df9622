import type { ModelClip } from '../../../modules/model-clips/contract.ts'

/** What is wrong with a model clip that cannot be prepared, by refusal code. The API's own messages are not used: they address players. */
const PROBLEMS: Record<string, string> = {
  damaged: 'This video is damaged and cannot be played.',
  'no-picture': 'This file has no video in it, only audio or nothing at all.',
  still: 'This file is a still image, not a video.',
  'too-large': 'The resolution of this video is too high for us. 4K and 1080p work.',
  codec: 'We cannot prepare this kind of video. MP4 works best.',
  edited: 'This video was edited or slowed down in a way that we cannot read. Export it as a new video.',
  'other-size': 'The resolution of this video is higher than the file says, or changes partway through.',
  sound: 'The audio in this video is damaged.',
  lost: 'The file for this clip is missing.',
}
const UPLOAD_ANOTHER = 'Delete the clip and upload another file.'
const UPLOAD_TRIMMED = 'Trim the video to the action, then delete this clip and upload the shorter one.'

/** Says why a model clip cannot be played, and what its instructor can do. */
export function modelClipRefusalText(reason: NonNullable<ModelClip['video']['rendition']>['reason']): string {
  if (reason?.code === 'too-long') return `This video is much too long. ${UPLOAD_TRIMMED}`
  if (reason?.code === 'too-much') return `This video takes too long to prepare. ${UPLOAD_TRIMMED}`
  if (reason?.code === 'no-encoder') return 'We cannot prepare videos right now. Delete the clip and upload it again later.'
  // An administrator wrote this message about this clip, so it is shown as it is.
  if (reason?.code === 'by-administrator') return reason.message
  return `${PROBLEMS[reason?.code ?? ''] ?? 'We could not prepare this clip.'} ${UPLOAD_ANOTHER}`
}
