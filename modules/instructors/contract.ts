import { z } from 'zod'
import { Skills, Sports } from '../accounts/contract.ts'
import { endpoints } from '../endpoint.ts'
import { id } from '../id.ts'

export const Slug = z
  .string('Choose an address for your profile')
  .trim()
  .toLowerCase()
  .min(3, 'At least 3 characters')
  .max(60, 'At most 60 characters')
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'Use letters, numbers and single dashes')
  // Profiles are asked for by id, too.
  .refine(slug => !id.safeParse(slug).success, 'This address is reserved. Choose another.')
const lenient = z.string().min(1).max(60)
const InviteCode = z.string().min(1).max(40)

/** An instructor as cards show it. */
export const Instructor = z.object({
  id,
  user: z.object({ firstName: z.string(), lastName: z.string(), profileSlug: z.string().nullable() }),
  /** File below `/uploads/profile/`. */
  profilePicture: z.string().nullable(),
  type: z.array(z.enum(['baseball', 'softball'])),
  skills: z.array(z.enum(['hitting', 'pitching', 'fielding', 'catching'])),
  /** First on the landing page for now. */
  featured: z.boolean(),
})
export type Instructor = z.infer<typeof Instructor>

export const Profile = Instructor.extend({
  about: z.string(),
  experience: z.string(),
  followers: z.int(),
  /** ISO 8601; when they joined. */
  since: z.iso.datetime(),
  /** Median hours from an assignment to its feedback, once there are enough to tell. */
  responseHours: z.number().nullable(),
})
export type Profile = z.infer<typeof Profile>

export const ProfileChange = z.strictObject({
  type: Sports,
  skills: Skills,
  about: z.string().trim().max(2000, 'At most 2000 characters'),
  experience: z.string().trim().max(2000, 'At most 2000 characters'),
  slug: Slug,
})
export type ProfileChange = z.output<typeof ProfileChange>

const own = ['instructor'] as const

export const instructors = endpoints({
  'GET /api/instructors': { summary: 'All instructors, featured ones first', access: 'anyone', reply: z.array(Instructor) },
  'GET /api/instructors/{slug}': {
    summary: 'A public profile, by slug or id',
    access: 'anyone',
    params: z.strictObject({ slug: lenient }),
    reply: Profile,
  },
  'GET /api/instructors/by-invite/{inviteCode}': {
    summary: 'Who an invitation comes from',
    access: 'anyone',
    params: z.strictObject({ inviteCode: InviteCode }),
    // The specification has the picture in the user, as cards have it beside.
    reply: Instructor.extend({ user: Instructor.shape.user.extend({ profilePicture: Instructor.shape.profilePicture }) }),
  },
  'GET /api/my/instructors': {
    summary: 'Instructors that the player is connected to or follows',
    access: ['player'],
    reply: z.object({ instructors: z.array(Instructor.extend({ connected: z.boolean(), followed: z.boolean() })) }),
  },
  'PUT /api/instructors/{instructor}/connection': {
    summary: 'Connect the player to an instructor',
    access: ['player'],
    params: z.strictObject({ instructor: id }),
    status: 204,
  },
  'DELETE /api/instructors/{instructor}/connection': {
    summary: 'End the connection',
    access: ['player'],
    params: z.strictObject({ instructor: id }),
    status: 204,
  },
  'PUT /api/instructors/{instructor}/follow': {
    summary: 'Follow',
    access: ['player'],
    params: z.strictObject({ instructor: id }),
    status: 204,
  },
  'DELETE /api/instructors/{instructor}/follow': {
    summary: 'Follow no longer',
    access: ['player'],
    params: z.strictObject({ instructor: id }),
    status: 204,
  },
  'GET /api/profile': {
    summary: "The instructor's own profile; what is still missing is empty",
    access: own,
    reply: Profile,
  },
  'PUT /api/profile': { summary: 'Change the own profile; it is public within a second', access: own, body: ProfileChange, reply: Profile },
  'GET /api/profile/slugs/{slug}': {
    summary: 'May the profile have this address?',
    access: own,
    params: z.strictObject({ slug: lenient }),
    reply: z.object({ available: z.boolean(), message: z.string().nullable() }),
  },
  'GET /api/invite': { summary: 'The own invite code', access: own, reply: z.object({ code: z.string(), url: z.string() }) },
  'POST /api/invite': {
    summary: 'Renew the invite code; the old one works no longer',
    access: own,
    reply: z.object({ code: z.string(), url: z.string() }),
  },
  'PUT /api/user/picture': {
    summary: 'Set the profile picture (JPEG, PNG or WEBP up to 5 MB); it is kept as a square WEBP without metadata',
    access: 'signed-in',
    refusals: [422],
    bytes: ['image/jpeg', 'image/png', 'image/webp'],
    limit: 5 * 1024 * 1024,
    reply: z.object({ profilePicture: z.string() }),
  },
  'DELETE /api/user/picture': { summary: 'Remove the profile picture', access: 'signed-in', status: 204 },
  'GET /uploads/profile/{file}': {
    summary: 'A profile picture',
    access: 'anyone',
    params: z.strictObject({ file: z.string().regex(/^[0-9a-f]{32}\.webp$/) }),
    media: ['image/webp'],
  },
})
