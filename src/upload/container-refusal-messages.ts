import type { RefusalCode } from '../../modules/media/preparation-process/media-refusal.ts'

/**
 * What the browser says before an upload if `readContainer` refuses the file, because the server would refuse it after the upload, too. The
 * messages of `REFUSAL_MESSAGES` are about videos that were already added.
 */
const MESSAGES: Partial<Record<RefusalCode, string>> = {
  damaged: 'This video is damaged and cannot be played. Export it again on your phone or film a new one, then choose it again.',
  'no-picture': 'This file has no video in it, only audio or nothing at all. Choose a video of a swing, pitch or play.',
  still: 'This file is a still image, not a video. Choose a video of a swing, pitch or play.',
  'too-long': 'This video is much too long. Trim it to the swing, pitch or play in your photo library, then choose it again.',
  'too-large': 'The resolution of this video is too high for us. Film in 4K or 1080p, or export it at 1080p, then choose it again.',
}

/** Says why a file cannot be uploaded, and what to do; undefined if it can. `refused`: why `readContainer` refuses it, or null. */
export const containerRefusalMessage = (refused: RefusalCode | null): string | undefined => (refused ? MESSAGES[refused] : undefined)
