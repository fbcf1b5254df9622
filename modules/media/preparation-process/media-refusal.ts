/** The file cannot be prepared. The message tells the file's owner why, and what to do. */
export class MediaRefusal extends Error {
  readonly code: RefusalCode
  /** `cause`: what was wrong, for operators. */
  constructor(code: RefusalCode, cause?: unknown) {
    super(REFUSAL_MESSAGES[code], { cause })
    this.code = code
  }
  get causeText(): string | undefined {
    return this.cause === undefined ? undefined : String(this.cause)
  }
}

/** What the owner of a file that cannot be prepared reads, by refusal code. */
export const REFUSAL_MESSAGES = {
  damaged: 'This video is damaged and cannot be played. Export it again on your phone or film a new one, then replace it.',
  'no-picture': 'This file has no video in it, only audio or nothing at all. Replace it with a video of your swing, pitch or play.',
  'no-sound': 'There is no sound in this voice-over.',
  still: 'This file is a still image, not a video. Replace it with a video of your swing, pitch or play.',
  'too-long': 'This video is much too long. Trim it to the swing, pitch or play, then replace it.',
  'too-large': 'The resolution of this video is too high for us. Film in 4K or 1080p, then replace it.',
  codec: 'We cannot prepare this kind of video. Export it as an MP4 on your phone, then replace it.',
  different: 'We could not prepare this video frame by frame. Export it again on your phone, then replace it.',
  edited: 'This video was edited or slowed down in a way that we cannot read. Export it as a new video on your phone, then replace it.',
  'other-size':
    'The resolution of this video is higher than the file says, or changes partway through. Export it again on your phone, then replace it.',
  sound: 'The audio in this video is damaged. Export it again on your phone or film a new one, then replace it.',
  'too-much': 'This video takes too long to prepare. Trim it to the swing, pitch or play, then replace it.',
  crashed: 'We tried several times and could not prepare this video. Export it again on your phone, then replace it.',
  lost: 'The file for this video is missing. Upload it again to replace it.',
  'by-administrator': 'An administrator has stopped the preparation of this video. Replace it with another one.',
  'no-encoder': 'We cannot prepare videos right now, so your instructor cannot see this one. Nothing is charged for it.',
} as const
export type RefusalCode = keyof typeof REFUSAL_MESSAGES
