/** This file cannot be prepared. The message says why and what to do, to the player who uploaded it. */
export class Refusal extends Error {
  readonly code: RefusalCode
  /** `cause`: what was wrong, for whoever runs the server. */
  constructor(code: RefusalCode, cause?: unknown) {
    super(REFUSAL_MESSAGES[code], { cause })
    this.code = code
  }
}

/** Why a video has no rendition, by code. */
export const REFUSAL_MESSAGES = {
  damaged: 'This video is damaged and cannot be played. Export it again on your phone or film a new one, then replace it.',
  'no-picture': 'This file has no picture, only sound or nothing at all. Replace it with the video of the swing.',
  'no-sound': 'There is no sound in this voice-over.',
  still: 'This file holds a single picture instead of a video. Replace it with the video of the swing.',
  'too-long': 'This video is far longer than a swing needs. Trim it to the swing, then replace it.',
  'too-large': 'The picture of this video is too large to be prepared. Film in 4K or 1080p, then replace it.',
  codec: 'This kind of video cannot be prepared. Export it as MP4 on your phone, then replace it.',
  different: 'This video could not be prepared frame by frame. Export it again on your phone, then replace it.',
  edited:
    'This video is cut into parts, or slowed down, in a way that we cannot follow. Export it as a new video on your phone, then replace it.',
  'other-size':
    'The picture of this video is larger than its file says, or grows in the middle of it. Export it again on your phone, then replace it.',
  sound: 'The sound of this video is damaged. Export it again on your phone or film a new one, then replace it.',
  'too-much': 'Preparing this video takes more than a swing ever needs. Trim it to the swing, then replace it.',
  crashed: 'This video could not be prepared, though we tried several times. Export it again on your phone, then replace it.',
  lost: 'The file of this video is missing. Upload it again to replace it.',
  'by-administrator': 'An administrator has stopped the preparation of this video. Replace it with another one.',
  'no-encoder': 'This server cannot prepare videos right now, so your instructor cannot see this one. Nothing is charged for it.',
} as const
export type RefusalCode = keyof typeof REFUSAL_MESSAGES
