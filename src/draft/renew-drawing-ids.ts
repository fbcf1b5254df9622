import { v7 } from 'uuid'
import type { Voice } from '../../modules/reviews/contract.ts'

/** Gives every drawing of a voice-over a new id, also in its actions. A delivery refuses a review that has a drawing's id twice. */
export function withNewDrawingIds<V extends Pick<Voice, 'actions' | 'shapes'>>(voice: V): V {
  if (!voice.shapes?.length) return voice
  const newIds = new Map(voice.shapes.map(shape => [shape.id, v7()]))
  const newIdOf = (id: string) => newIds.get(id) ?? id
  return {
    ...voice,
    shapes: voice.shapes.map(shape => ({ ...shape, id: newIdOf(shape.id) })),
    actions: voice.actions.map(action => {
      if (action[1] === 'erase') return [action[0], 'erase', newIdOf(action[2])]
      if (action[1] !== 'stroke') return action
      const [ms, what, shape, ...gaps] = action
      return [ms, what, newIdOf(shape), ...gaps]
    }),
  }
}
