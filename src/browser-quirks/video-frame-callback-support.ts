/** Whether the browser reports each frame that it presents. Firefox before version 132 does not; every supported Chrome and Safari does. */
export const HAS_FRAME_CALLBACKS = 'requestVideoFrameCallback' in (globalThis.HTMLVideoElement?.prototype ?? {})

/**
 * Calls back once with the media time (seconds) of the next frame that the browser presents; never if the browser does not report frames.
 */
export const onNextFrameIfReported = (video: HTMLVideoElement, callback: (mediaTime: number) => void) => {
  if (HAS_FRAME_CALLBACKS) video.requestVideoFrameCallback((_, { mediaTime }) => callback(mediaTime))
}
