import type { Review } from '../../../modules/folders/contract.ts'
import { derivedId } from '../../../modules/kernel/decider.ts'
import { CHECKPOINTS } from '../../../modules/reviews/policy.ts'
import { FPS, type Look, positions } from './cast.ts'
import { drawn } from './draw.ts'

export const idsOf = ({ name }: { name: string }) => ({
  folder: derivedId('demo', 'folder', name),
  video: derivedId('demo', 'video', name),
})
const goalId = (name: string, text: string) => derivedId('demo', 'goal', name, text)

/** The feedback on a look as a review holds it, and the file of its voice. The sizes of voices are not known here. */
export function reviewOf(look: Look, earlier?: Look) {
  const { folder, video } = idsOf(look)
  const voice = look.spoken && { id: derivedId('demo', 'voice', video), file: look.spoken.file, type: 'audio/mp4' as const }
  const review: Review = {
    notes: look.notes.map(({ drawn: drawings, ...note }) => ({
      ...note,
      id: derivedId('demo', 'note', video, note.frame),
      video,
      at: Math.ceil((note.frame * 1000) / FPS),
      ...(drawings && { shapes: drawings.map((d, i) => drawn(d, note.frame, video, note.frame, i)) }),
    })),
    summary: look.summary,
    grades: [{ skill: 'hitting', grade: look.grade }],
    goals: look.goals.map(({ text, carried, state = 'given' as const }) => ({
      id: goalId(look.name, text),
      text,
      state,
      ...(carried && earlier && { from: goalId(earlier.name, text) }),
    })),
    checkpoints: CHECKPOINTS.hitting.map(name => ({ video, skill: 'hitting', name, frame: positions[name], by: 'hand' })),
  }
  if (earlier && look.comparison) {
    const side = (of: Look) => ({ ...idsOf(of), origin: positions.stride, offset: 0, scale: 1 })
    const id = derivedId('demo', 'comparison', video)
    review.comparisons = [{ id, title: look.comparison, sides: [side(earlier), side(look)], mode: 'side', stretch: false }]
  }
  if (look.spoken && voice) {
    const { milliseconds, from, actions, strokes } = look.spoken
    const shapes = strokes.map((s, i) => drawn(s.drawn, s.frame, voice.id, i))
    // A line has two points: drawn in half a second.
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
