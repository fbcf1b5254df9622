/** Whether the browser reports each frame that it presents. Firefox before version 132 does not; every supported Chrome and Safari does. */
export const REPORTS_FRAMES = 'requestVideoFrameCallback' in (globalThis.HTMLVideoElement?.prototype ?? {})
