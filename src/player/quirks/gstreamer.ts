/**
 * WebKit anywhere but on Apple's machines plays by GStreamer, whose h264parse guesses how long a frame lasts: the mean of all frames, or one
 * tick of the encoder's clock. A seek finds the first frame that lasts until then by that guess (`../media-time.ts` works around it).
 */
export const IS_WEBKIT_GSTREAMER = /^Apple/.test(globalThis.navigator?.vendor ?? '') && navigator.userAgent.includes('Linux')
