/**
 * Coordinates of drawings are whole numbers of picture units, from 0 to this, across and down the picture as shown. At 1080 lines, a
 * vertical unit is about a tenth of a pixel.
 */
export const PICTURE_SIDE_UNITS = 10_000
/** Colors of drawings by their number; the names are design tokens. The log stores the number, so new colors go to the end. */
export const INK_NAMES = ['clay', 'gold', 'sky', 'chalk', 'field', 'red'] as const
export const MAX_SHAPES_PER_REVIEW = 200
export const MAX_POINTS_PER_SHAPE = 600
/** Paths and stopwatches have a list of frames already. All other drawings can have keyframes, to follow something in the picture. */
export const TOOLS_WITHOUT_KEYFRAMES: readonly string[] = ['path', 'stopwatch']
/** The longest label on the picture, in characters. Longer text belongs in the note. */
export const MAX_DRAWING_LABEL_LENGTH = 80
/** The largest size of a review as JSON. It includes the actions of voice-overs, but not their sound. */
export const MAX_REVIEW_BYTES = 300_000
/** The longest time that a drawing stays or fades out, in frames: a minute at 240 frames per second. */
export const MAX_SHAPE_HOLD_FRAMES = 14_400

export const MAX_VOICES_PER_REVIEW = 20
/** The longest voice-over: five minutes. */
export const MAX_VOICE_MS = 300_000
/** Enough for five minutes at 256 kbit/s, the highest bit rate at which browsers record. */
export const MAX_VOICE_BYTES = 10 * 1024 * 1024
export const MAX_ACTIONS_PER_VOICE = 2000
export const VOICE_TYPES = ['audio/webm', 'audio/mp4', 'audio/ogg'] as const

/** The positions of each discipline, in the order in which a movement passes through them. */
export const TECHNIQUE_POSITIONS_BY_SKILL = {
  hitting: ['stance', 'load', 'stride', 'contact', 'follow-through'],
  pitching: ['wind-up', 'leg lift', 'stride', 'release', 'finish'],
  fielding: ['ready', 'approach', 'field', 'transfer', 'throw'],
  catching: ['setup', 'receive', 'transfer', 'throw'],
} as const
/** The disciplines, in the order in which they are offered. */
export const SKILLS = Object.keys(TECHNIQUE_POSITIONS_BY_SKILL) as (keyof typeof TECHNIQUE_POSITIONS_BY_SKILL)[]

export const MAX_COMPARISONS_PER_REVIEW = 6
export const MAX_GOALS_PER_REVIEW = 10
export const MAX_GOAL_LENGTH = 200
export const MAX_COMPARISON_TITLE_LENGTH = 80
export const MAX_MATERIAL_LINK_LENGTH = 500
/** How many frames before and after the current one an onion skin can show. */
export const MAX_ONION_SKIN_DISTANCE = 2

/** The parts of a review from which the skills on its clips are derived. */
export interface TechniquePositionsAndGrades {
  checkpoints?: readonly { video: string; skill: string }[] | undefined
  grades?: readonly { skill: string; grade: number }[] | undefined
}

/**
 * The skills of the technique positions that a review sets on a clip. If it sets none and grades exactly one skill, that skill. Otherwise
 * empty.
 */
export function skillsReviewedOnClip({ id }: { id: string }, { checkpoints = [], grades = [] }: TechniquePositionsAndGrades): Set<string> {
  const set = new Set(checkpoints.filter(c => c.video === id).map(c => c.skill))
  const graded = new Set(grades.map(g => g.skill))
  return set.size || graded.size !== 1 ? set : graded
}

/** Whether two clips may show the same movement. False only if the skills of both are known and have nothing in common. */
export const areSkillsComparable = (one: ReadonlySet<string>, other: ReadonlySet<string>) =>
  !one.size || !other.size || [...one].some(skill => other.has(skill))
