import { z } from 'zod'
import { defineEndpoints } from '../endpoint.ts'

const time = z.iso.datetime()

export const Rewards = z.object({
  /** The code that friends enter when they register. */
  code: z.string(),
  points: z.int(),
  /** The value of the points, and the most that one assignment can use, in cents. */
  worth: z.int(),
  atMost: z.int(),
  /** Points for each friend, once their first folder is paid. */
  perFriend: z.int(),
  /** The discount, in percent, that a referred friend gets on their first assigned folder. */
  percentOff: z.int(),
  /** Whether a friend's code gives this player a discount on the next folder. */
  discount: z.boolean(),
  /** How many friends registered with the code, and for how many of them points were earned. */
  friends: z.object({ joined: z.int(), rewarded: z.int() }),
  credits: z.int(),
  /** Newest first. */
  history: z.array(z.object({ at: time, type: z.enum(['earned', 'spent', 'returned']), points: z.int() })),
})
export type Rewards = z.infer<typeof Rewards>

export const rewardsContract = defineEndpoints({
  'GET /api/rewards': { summary: "The player's referral code, points and credits", access: ['player'], reply: Rewards },
})
