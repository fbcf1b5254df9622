/** What is inside a video file, as far as its boxes and the browser tell. */
export interface Probe {
  /** FourCC of the picture's codec: avc1, hvc1, av01, vp09 …; undefined if it was not found. */
  codec: string | undefined
  /** What this browser makes of it; undefined if it cannot play it. */
  plays: { seconds: number; width: number; height: number } | undefined
}

const codecs = [
  'avc1',
  'avc3',
  'hvc1',
  'hev1',
  'av01',
  'vp09',
  'vp08',
  'mp4v',
  'apcn',
  'apch',
  'apcs',
  'apco',
  'ap4h',
  'mjpg',
  'dvh1',
  'dvhe',
]
const names: Record<string, string> = {
  avc1: 'H.264',
  avc3: 'H.264',
  hvc1: 'HEVC (H.265)',
  hev1: 'HEVC (H.265)',
  dvh1: 'Dolby Vision',
  dvhe: 'Dolby Vision',
  av01: 'AV1',
  vp09: 'VP9',
  vp08: 'VP8',
  mp4v: 'MPEG-4',
  mjpg: 'Motion JPEG',
}
export const codecName = (codec: string) => names[codec] ?? (codec.startsWith('ap') ? 'Apple ProRes' : codec)

/** Codecs that every browser of the last years plays. */
const everywhere = new Set(['avc1', 'avc3', 'vp08', 'vp09', 'av01'])
export const playsEverywhere = (codec: string) => everywhere.has(codec)

const LOOK = 4 * 1024 * 1024

/** The first codec named in some bytes of a file. Matroska writes V_VP9; MP4 and MOV a FourCC. */
export function codecIn(bytes: Uint8Array): string | undefined {
  const text = new TextDecoder('latin1').decode(bytes)
  const webm = /V_(VP8|VP9|AV1)/.exec(text)?.[1]
  if (webm) return { VP8: 'vp08', VP9: 'vp09', AV1: 'av01' }[webm]
  // Only behind `stsd`, where the sample description lies; elsewhere four letters mean nothing.
  for (let at = text.indexOf('stsd'); at >= 0; at = text.indexOf('stsd', at + 4)) {
    const found = codecs.find(c => text.slice(at + 4, at + 24).includes(c))
    if (found) return found
  }
}

/** Looks at both ends of a file: the description lies before the pictures or behind them. */
async function codecOf(file: Blob): Promise<string | undefined> {
  const ends = [file.slice(0, LOOK), file.slice(Math.max(LOOK, file.size - LOOK))]
  for (const end of ends) {
    const found = codecIn(new Uint8Array(await end.arrayBuffer()))
    if (found) return found
  }
}

/** Lets the browser try: metadata and a first picture within 10 s. */
export function tryToPlay(url: string): Promise<Probe['plays']> {
  return new Promise(resolve => {
    const video = document.createElement('video')
    const done = (plays: Probe['plays']) => {
      clearTimeout(timer)
      video.removeAttribute('src')
      video.load()
      resolve(plays)
    }
    const timer = setTimeout(() => done(undefined), 10_000)
    video.muted = true
    video.playsInline = true
    video.preload = 'auto'
    video.onerror = () => done(undefined)
    // Sound alone has no picture: a size of 0.
    video.onloadeddata = () =>
      done(video.videoWidth ? { seconds: video.duration, width: video.videoWidth, height: video.videoHeight } : undefined)
    video.src = url
  })
}

export async function probe(file: File): Promise<Probe> {
  const url = URL.createObjectURL(file)
  try {
    const [codec, plays] = await Promise.all([codecOf(file), tryToPlay(url)])
    return { codec, plays }
  } finally {
    URL.revokeObjectURL(url)
  }
}
