import type { OtherSessionOrModelVideo, Session, Video } from '../../../modules/folders/contract.ts'
import type { Filmstrip } from '../../../modules/media/contract.ts'
import { buildDemoReview, type DeriveDemoId, deriveFolderAndVideoIds } from '../../demo/build-demo-review.ts'
import voiceUrl from '../../demo/clips/foot-strike.m4a?url'
import frameTableUrl from '../../demo/clips/swing.frames.json?url&no-inline'
import posterUrl from '../../demo/clips/swing.jpg?url'
import videoUrl from '../../demo/clips/swing.mp4?url'
import filmstripUrl from '../../demo/clips/swing.strip.webp?url'
import earlierPosterUrl from '../../demo/clips/swing-early-shoulder.jpg?url'
import earlierVideoUrl from '../../demo/clips/swing-early-shoulder.mp4?url'
import { DEMO_CLIP_FPS, type DemoSession, firstDemoSession, secondDemoSession } from '../../demo/demo-sessions.ts'
import type { ReviewedSession } from '../../folders/reviewed-session-type.ts'

const SAMPLE_CLIP_FRAMES = 105
const [WIDTH, HEIGHT] = [640, 360]
const given = '2026-05-02T16:00:00.000Z'
const id: DeriveDemoId = (...of) => of.join(' ')

/** A demo clip that is served as a static file. Both clips have the same frame table. */
const clip = (look: DemoSession, url: string, poster: string, filmstrip: Filmstrip | null = null): Video => ({
  id: deriveFolderAndVideoIds(look, id).video,
  name: look.file,
  type: 'video/mp4',
  bytes: 0,
  milliseconds: (SAMPLE_CLIP_FRAMES * 1000) / DEMO_CLIP_FPS,
  width: WIDTH,
  height: HEIGHT,
  added: given,
  url,
  poster,
  rendition: {
    state: 'ready',
    progress: 1,
    reason: null,
    unseen: false,
    url,
    bytes: 0,
    width: WIDTH,
    height: HEIGHT,
    table: frameTableUrl,
    filmstrip,
  },
})

export const { folder: sampleFolderId } = deriveFolderAndVideoIds(secondDemoSession, id)
const { review, voice } = buildDemoReview(secondDemoSession, id, firstDemoSession)
const earlierSession: OtherSessionOrModelVideo = {
  ...clip(firstDemoSession, earlierVideoUrl, earlierPosterUrl),
  folder: { id: deriveFolderAndVideoIds(firstDemoSession, id).folder, name: firstDemoSession.name },
}

/** The demo's second review, as its player sees it. */
export const sampleSession: ReviewedSession & Session = {
  id: 'sample',
  status: 'paid',
  instructor: { id: 'ray', name: 'Ray Castellano', picture: null, slug: null },
  videos: 1,
  assigned: given,
  given,
  grades: review.grades,
  clarification: 'none',
  rating: null,
  answered: null,
  message: secondDemoSession.message,
  clips: [clip(secondDemoSession, videoUrl, posterUrl, { url: filmstripUrl, count: 21, columns: 7, width: 160, height: 90 })],
  review,
  compared: [earlierSession],
  question: null,
  about: null,
  answer: null,
  voices: voice ? [{ id: voice.id, url: voiceUrl, type: voice.type }] : [],
}
