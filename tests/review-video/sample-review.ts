import type { Note, Review, Video } from '../../modules/folders/contract.ts'
import type { VideoProperties } from '../../modules/media/contract.ts'
import type { Comparison, Shape, Voice } from '../../modules/reviews/contract.ts'

/** Creates a clip, five seconds long unless `more` says otherwise. */
export const createSampleClipData = (id: string, more: Partial<Video> = {}): Video => ({
  id,
  name: `${id}.mp4`,
  type: 'video/mp4',
  bytes: 1,
  milliseconds: 5000,
  width: 1280,
  height: 720,
  added: '2026-05-02T16:00:00.000Z',
  url: null,
  poster: null,
  ...more,
})
/** Creates a clip's video properties as its probe stores them. A `rate` of null means that the frame rate varies. */
export const sampleVideoPropertiesAtRate = (rate: [number, number] | null, more: Partial<VideoProperties> = {}): VideoProperties => ({
  container: 'mp4',
  codec: 'avc',
  width: 1280,
  height: 720,
  rotation: 0,
  milliseconds: 5000,
  frames: 300,
  rate,
  variable: rate === null,
  hdr: false,
  sound: true,
  captureRate: null,
  ...more,
})
export const sampleReviewedSession = (review: Partial<Review>, clips = [createSampleClipData('a')]) => ({
  clips,
  compared: [],
  review: { summary: '', grades: [], notes: [], ...review } as Review,
})
export const noteOnFrame = (id: string, frame: number, more: Partial<Note> = {}): Note => ({
  id,
  video: 'a',
  at: Math.ceil((frame * 1000) / 60),
  frame,
  kind: 'technique',
  text: 'Hands back',
  ...more,
})
/** Creates a thick white line across the middle of the picture. */
export const lineFromFrame = (id: string, from: number, more: Partial<Shape> = {}): Shape => ({
  id,
  tool: 'line',
  color: 3,
  width: 200,
  p: [2000, 5000, 6000, 0],
  from,
  hold: 12,
  fade: 0,
  ...more,
})
export const sampleVoiceOver = (id: string, more: Partial<Voice> = {}): Voice => ({
  id,
  video: 'a',
  frame: 120,
  milliseconds: 4000,
  bytes: 1,
  type: 'audio/mp4',
  actions: [],
  ...more,
})
export const comparisonSyncedAtFrames = (origins: [number, number]): Comparison => ({
  id: 'c',
  title: '',
  mode: 'side',
  stretch: false,
  sides: origins.map(origin => ({ folder: 'f', video: 'a', origin, offset: 0, scale: 1 })) as Comparison['sides'],
})
