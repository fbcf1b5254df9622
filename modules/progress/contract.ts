import { z } from 'zod'
import { Skill } from '../accounts/contract.ts'
import { defineEndpoints } from '../endpoint.ts'
import { Grade, Person } from '../folders/contract.ts'
import { Goal } from '../reviews/contract.ts'
import { uuidSchema } from '../uuid-validation.ts'

const time = z.iso.datetime()

/** A goal's text and state in one review. */
const GoalOccurrence = z.object({ session: uuidSchema, folder: uuidSchema, at: time, state: Goal.shape.state, text: z.string() })

/** A goal, followed through the reviews that continued it: its latest text and state, and those of each review, the oldest first. */
export const GoalThread = z.object({
  /** The id of the goal's first occurrence. */
  id: uuidSchema,
  text: z.string(),
  state: Goal.shape.state,
  /** Whether it is open: neither fixed nor left out by a later review. */
  open: z.boolean(),
  instructor: Person,
  words: z.array(GoalOccurrence).min(1),
})
export type GoalThread = z.infer<typeof GoalThread>

/** The positions of a discipline in one video, in the order of their frames. */
export const VideoTechniquePositions = z.object({
  video: uuidSchema,
  skill: Skill,
  positions: z.array(
    z.object({
      name: z.string(),
      frame: z.int(),
      /** Milliseconds of real time since the first of these positions; null if the times of the video's frames are unknown. */
      after: z.number().nullable(),
    }),
  ),
})
export type VideoTechniquePositions = z.infer<typeof VideoTechniquePositions>

/** A delivered session in the player's progress. */
export const ProgressSession = z.object({
  id: uuidSchema,
  folder: uuidSchema,
  /** The folder's name. */
  name: z.string(),
  instructor: Person,
  given: time,
  grades: z.array(Grade),
  swings: z.array(VideoTechniquePositions),
  /** The id of the first video that has not been removed; null if there is none. */
  video: uuidSchema.nullable(),
  /** The URL of a still of that video, signed for a short time; null except for the first and the newest session of a discipline. */
  poster: z.string().nullable(),
})
export type ProgressSession = z.infer<typeof ProgressSession>

/** Sessions, oldest first; goals, open ones first. */
export const Progress = z.object({ sessions: z.array(ProgressSession), goals: z.array(GoalThread) })
export type Progress = z.infer<typeof Progress>

export const progressContract = defineEndpoints({
  'GET /api/progress': {
    summary: 'Grades, goals and the times between positions over all sessions of the player',
    access: ['player'],
    reply: Progress,
  },
  'GET /api/players/{player}/progress': {
    summary: "A player's progress in the sessions that the calling instructor has delivered (for an admin: in all sessions)",
    access: ['instructor', 'admin'],
    params: z.strictObject({ player: uuidSchema }),
    reply: Progress,
  },
})

export const familyProgressContract = defineEndpoints({
  'GET /api/family/children/{child}/progress': {
    summary: "A child's progress over all sessions, for their guardian",
    access: 'guardian',
    params: z.strictObject({ child: uuidSchema }),
    reply: Progress,
  },
})
