import type { ComparedVideo, Session, Video } from '../../../modules/folders/contract.ts'
import type { Filmstrip } from '../../../modules/media/contract.ts'
import said from '../../demo/clips/foot-strike.m4a?url'
import frames from '../../demo/clips/swing.frames.json?url&no-inline'
import stillShown from '../../demo/clips/swing.jpg?url'
import swing from '../../demo/clips/swing.mp4?url'
import strip from '../../demo/clips/swing.strip.webp?url'
import earlyStill from '../../demo/clips/swing-early-shoulder.jpg?url'
import early from '../../demo/clips/swing-early-shoulder.mp4?url'
import { buildReview, folderAndVideoIds, type MakeId } from '../../demo/review.ts'
import { CLIP_FPS, type DemoSession, firstSession, secondSession } from '../../demo/sessions.ts'
import type { ReviewedSession } from '../../folders/reviewed-session.ts'

const FRAMES = 105
const [WIDTH, HEIGHT] = [640, 360]
const given = '2026-05-02T16:00:00.000Z'
const id: MakeId = (...of) => of.join(' ')

/** A clip that lies beside the pages, with its frame table: both have the same. */
const clip = (look: DemoSession, url: string, poster: string, filmstrip: Filmstrip | null = null): Video => ({
  id: folderAndVideoIds(look, id).video,
  name: look.file,
  type: 'video/mp4',
  bytes: 0,
  milliseconds: (FRAMES * 1000) / CLIP_FPS,
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
    table: frames,
    filmstrip,
  },
})

export const { folder } = folderAndVideoIds(secondSession, id)
const { review, voice } = buildReview(secondSession, id, firstSession)
const before: ComparedVideo = {
  ...clip(firstSession, early, earlyStill),
  folder: { id: folderAndVideoIds(firstSession, id).folder, name: firstSession.name },
}

/** The demo's second look, as its player reads it: made up, and complete. */
export const sample: ReviewedSession & Session = {
  id: 'sample',
  status: 'paid',
  instructor: { id: 'ray', name: 'Ray Castellano', picture: null, slug: null },
  videos: 1,
  assigned: given,
  given,
  grades: review.grades,
  clarification: 'none',
  answered: null,
  message: secondSession.message,
  clips: [clip(secondSession, swing, stillShown, { url: strip, count: 21, columns: 7, width: 160, height: 90 })],
  review,
  compared: [before],
  question: null,
  about: null,
  answer: null,
  voices: voice ? [{ id: voice.id, url: said, type: voice.type }] : [],
}
