import type { Review } from '../../modules/folders/contract.ts'
import { TECHNIQUE_POSITIONS_BY_SKILL } from '../../modules/reviews/policy.ts'
import { type DemoDrawing, demoShapeOf } from './demo-drawing-to-shape.ts'
import { DEMO_CLIP_FPS, DEMO_POSITION_FRAMES, type DemoSession } from './demo-sessions.ts'

/** Derives an id from values; the same values give the same id, so every attempt to create the demo uses the same ids. */
export type DeriveDemoId = (...of: (string | number)[]) => string

/** The ids of a demo session's folder and of its only video. */
export const deriveFolderAndVideoIds = ({ name }: { name: string }, id: DeriveDemoId) => ({
  folder: id('folder', name),
  video: id('video', name),
})

/**
 * Builds the review of a demo session, and names the file of its voice-over, whose size the caller has to fill in. `earlier`: the session
 * whose goals this review continues and whose clip it compares.
 */
export function buildDemoReview(look: DemoSession, id: DeriveDemoId, earlier?: DemoSession) {
  const { folder, video } = deriveFolderAndVideoIds(look, id)
  const goalOf = ({ name }: DemoSession, text: string) => id('goal', name, text)
  const voice = look.spoken && { id: id('voice', video), file: look.spoken.file, type: 'audio/mp4' as const }
  const review: Review = {
    notes: look.notes.map(({ drawn: drawings, ...note }) => ({
      ...note,
      id: id('note', video, note.frame),
      video,
      at: Math.ceil((note.frame * 1000) / DEMO_CLIP_FPS),
      ...(drawings && { shapes: drawings.map((d, i) => demoShapeOf(id('shape', video, note.frame, i), d, note.frame)) }),
    })),
    summary: look.summary,
    grades: [{ skill: 'hitting', grade: look.grade }],
    goals: look.goals.map(({ text, carried, state = 'given' as const }) => ({
      id: goalOf(look, text),
      text,
      state,
      ...(carried && earlier && { from: goalOf(earlier, text) }),
    })),
    checkpoints: TECHNIQUE_POSITIONS_BY_SKILL.hitting.map(name => ({
      video,
      skill: 'hitting',
      name,
      frame: DEMO_POSITION_FRAMES[name],
      by: 'hand',
    })),
  }
  if (earlier && look.comparison) {
    const { title, before, now } = look.comparison
    const side = (of: DemoSession, drawings: DemoDrawing[]) => ({
      ...deriveFolderAndVideoIds(of, id),
      origin: DEMO_POSITION_FRAMES.stride,
      offset: 0,
      scale: 1,
      shapes: drawings.map((d, i) => demoShapeOf(id('shape', 'compared', of.name, i), d, DEMO_POSITION_FRAMES.stride)),
    })
    review.comparisons = [
      { id: id('comparison', video), title, sides: [side(earlier, before), side(look, now)], mode: 'side', stretch: false },
    ]
  }
  if (look.spoken && voice) {
    const { milliseconds, from, actions, strokes } = look.spoken
    const shapes = strokes.map((s, i) => demoShapeOf(id('shape', voice.id, i), s.drawn, s.frame))
    // Each stroke is a line with two points, drawn in half a second.
    const stroked = strokes.map((s, i) => [s.at, 'stroke', shapes[i]!.id, 500] as [number, 'stroke', string, number])
    review.voices = [
      {
        id: voice.id,
        video,
        frame: from,
        milliseconds,
        bytes: 1,
        type: voice.type,
        actions: [...actions, ...stroked].sort(([a], [b]) => a - b),
        shapes,
      },
    ]
  }
  return { folder, voice, review }
}
