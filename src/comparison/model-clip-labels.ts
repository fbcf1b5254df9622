import type { ModelClip, ModelClipDetails } from '../../modules/model-clips/contract.ts'
import { capitalize } from '../ui/capitalize.ts'
import type { LabeledClip } from './labeled-clips.ts'

export const MODEL_CLIP_HANDEDNESS_LABELS: Record<ModelClipDetails['side'], string> = { right: 'Right-handed', left: 'Left-handed' }
export const MODEL_CLIP_ANGLE_LABELS: Record<ModelClipDetails['angle'], string> = {
  side: 'From the side',
  front: 'From the front',
  behind: 'From behind',
  other: 'Another angle',
}

/** What a model clip shows, in one line: 'Hitting · Left-handed · From the side'. */
export const skillHandednessAndAngleText = ({ skill, side, angle }: Pick<ModelClip, 'skill' | 'side' | 'angle'>) =>
  [capitalize(skill), MODEL_CLIP_HANDEDNESS_LABELS[side], MODEL_CLIP_ANGLE_LABELS[angle]].join(' · ')

/** The clips of an instructor's library, labeled with their titles. `library`: its id, which comparisons store as the clip's folder. */
export const labeledClipsOfLibrary = (library: string, clips: readonly ModelClip[]): LabeledClip[] =>
  clips.map(({ title, video }) => ({ clip: video, folder: library, label: title }))
