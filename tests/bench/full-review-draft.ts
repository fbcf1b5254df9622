import { randomUUID } from 'node:crypto'
import { v7 } from 'uuid'
import { MAX_SHAPES_PER_REVIEW } from '../../modules/reviews/policy.ts'
import type { DemoAndBrowser } from './demo-and-browser.ts'

/** The maximum number of strokes in a review, minus those that are drawn during the measurement. */
export const FULL_REVIEW_STROKE_COUNT = MAX_SHAPES_PER_REVIEW - 4
export const FULL_REVIEW_NOTE_COUNT = 50
export const FULL_REVIEW_VOICE_COUNT = 3

/**
 * Starts or continues the first open review in the demo instructor's queue, and fills its draft. Returns the studio's path, the draft's
 * size in bytes and the URL of its video.
 */
export async function saveFullReviewDraft({ browser, signedIn, url }: DemoAndBrowser) {
  const context = await browser.newContext({ ...(await signedIn('instructor')), extraHTTPHeaders: { origin: url } })
  const get = async (path: string) => (await context.request.get(path)).json()
  const { folders } = await get('/api/queue')
  const { id, assignment } = folders.find((f: { status: string }) => f.status === 'assigned' || f.status === 'in-review')
  const of = `session=${assignment}`
  await context.request.post(`/api/folders/${id}/review?${of}`)
  let clip: { id: string; rendition?: { state: string; url: string | null } } | undefined
  while (!clip?.rendition?.url) {
    if (clip?.rendition?.state === 'refused') throw new Error('The clip of the review could not be prepared.')
    clip = (await get(`/api/folders/${id}?${of}`)).session?.clips?.[0]
  }
  const draft = fullReviewDraft(clip.id)
  const { revision } = await get(`/api/folders/${id}/draft?${of}`)
  const saved = await context.request.put(`/api/folders/${id}/draft?${of}`, { data: { revision, draft } })
  if (!saved.ok()) throw new Error(`The draft was not taken: ${saved.status()} ${await saved.text()}`)
  await context.close()
  return { path: `/instructor/folder/${id}?${of}`, bytes: JSON.stringify(draft).length, video: clip.rendition.url }
}

function fullReviewDraft(video: string) {
  const stroke = (i: number) => ({
    id: v7(),
    tool: 'pen',
    color: i % 4,
    width: 45,
    from: 0,
    hold: 600,
    fade: 15,
    // As many points as a stroke around a swing has after simplification.
    p: [
      1500 + ((i * 37) % 2000),
      1500 + ((i * 53) % 2000),
      ...Array.from({ length: 58 }, (_, j) => [60 + (j % 7), 40 - ((i + j) % 9)]).flat(),
    ],
  })
  const voices = Array.from({ length: FULL_REVIEW_VOICE_COUNT }, (_, i) => ({
    id: randomUUID(),
    video,
    frame: i,
    milliseconds: 60_000,
    bytes: 240_000,
    type: 'audio/webm',
    actions: Array.from({ length: 200 }, (_, j) => [j * 300, 'seek', j % 40]),
  }))
  const notes = Array.from({ length: FULL_REVIEW_NOTE_COUNT }, (_, i) => ({
    id: v7(),
    video,
    at: i * 17,
    frame: i % 30,
    kind: ['technique', 'tip', 'drill', 'praise'][i % 4],
    text: `Note ${i + 1}: the front foot is down before the hands start.`,
    shapes: Array.from(
      {
        length:
          Math.floor(((i + 1) * FULL_REVIEW_STROKE_COUNT) / FULL_REVIEW_NOTE_COUNT) -
          Math.floor((i * FULL_REVIEW_STROKE_COUNT) / FULL_REVIEW_NOTE_COUNT),
      },
      (_, j) => stroke(i * 4 + j),
    ),
    ...(i < FULL_REVIEW_VOICE_COUNT && { voice: voices[i]!.id }),
  }))
  return { notes, summary: 'All of it.', grades: [], voices }
}
