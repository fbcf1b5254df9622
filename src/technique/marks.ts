import type { Checkpoint } from '../../modules/reviews/contract.ts'
import type { FrameMark } from '../player/FrameStrip.tsx'
import { title } from '../ui/title.ts'
import { positionsOf } from './positions.ts'

/** The positions on a video as marks of its strip, by their number in the discipline; `heard` are frames where contact may be. */
export function marksOf(checkpoints: readonly Checkpoint[] = [], video: string | undefined, heard: readonly number[] = []): FrameMark[] {
  const here = checkpoints.filter(c => c.video === video)
  const set = here.map(c => ({
    id: `${c.skill} ${c.name}`,
    frame: c.frame,
    label: title(c.name),
    symbol: `${positionsOf(c.skill).indexOf(c.name) + 1}`,
    isProposed: c.by === 'sound',
  }))
  const proposed = heard
    .filter(frame => here.every(c => c.frame !== frame))
    .map(frame => ({ id: `heard ${frame}`, frame, label: 'A sudden sound', symbol: '?', isProposed: true }))
  return [...proposed, ...set]
}
