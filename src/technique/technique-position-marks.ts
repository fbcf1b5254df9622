import type { TechniquePosition } from '../../modules/reviews/contract.ts'
import type { FrameMark } from '../player/FilmstripScrubber.tsx'
import { capitalize } from '../ui/capitalize.ts'
import { techniquePositionNames } from './edit-and-group-technique-positions.ts'

/**
 * Returns the positions on a video as marks for the frame strip, each numbered by its place in its discipline's motion. `heard`: frames
 * at which the sound suggests contact.
 */
export function techniquePositionMarks(
  checkpoints: readonly TechniquePosition[] = [],
  video: string | undefined,
  heard: readonly number[] = [],
): FrameMark[] {
  const positionsOfVideo = checkpoints.filter(c => c.video === video)
  const placed = positionsOfVideo.map(c => ({
    id: `${c.skill} ${c.name}`,
    frame: c.frame,
    label: capitalize(c.name),
    symbol: `${techniquePositionNames(c.skill).indexOf(c.name) + 1}`,
    isProposed: c.by === 'sound',
  }))
  const suggested = heard
    .filter(frame => positionsOfVideo.every(c => c.frame !== frame))
    .map(frame => ({ id: `heard ${frame}`, frame, label: 'A sudden sound', symbol: '?', isProposed: true }))
  return [...suggested, ...placed]
}
