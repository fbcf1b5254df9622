import { z } from 'zod'
import { Skill, SkillList, SportList } from '../accounts/contract.ts'
import { defineEndpoints } from '../endpoint.ts'
import { cursorParameter, pageLimitParameter } from '../pagination.ts'
import { PublicRating, RatingSummary } from '../ratings/contract.ts'
import { uuidSchema } from '../uuid-validation.ts'
import { INSTRUCTORS_PER_PAGE, MAX_INSTRUCTORS_PER_PAGE } from './policy.ts'

export const Slug = z
  .string('Choose a web address for your profile')
  .trim()
  .toLowerCase()
  .min(3, 'At least 3 characters')
  .max(60, 'At most 60 characters')
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'Use letters, numbers and single dashes')
  // A profile can be requested by its id as well as by its slug, so a slug must not look like an id.
  .refine(slug => !uuidSchema.safeParse(slug).success, 'This address is reserved. Choose another.')
const slugOrId = z.string().min(1).max(60)
const InviteCode = z.string().min(1).max(40)

/** What an administrator can check about an instructor before players meet them. */
export const CheckKind = z.enum(['identity', 'background', 'certificate', 'safesport', 'reference'], 'Choose what was checked')
export type CheckKind = z.infer<typeof CheckKind>

/** `pending` until an administrator has decided. */
export const VettingStatus = z.enum(['pending', 'approved', 'suspended', 'declined'])
export type VettingStatus = z.infer<typeof VettingStatus>

/** A check as everybody sees it. */
export const PublicCheck = z.object({ kind: CheckKind, checked: z.iso.date() })
export type PublicCheck = z.infer<typeof PublicCheck>

export const OwnVettingStatus = z.object({
  status: VettingStatus,
  /** An administrator's reason for declining or suspending the instructor. */
  reason: z.string().nullable(),
  emailConfirmed: z.boolean(),
})
export type OwnVettingStatus = z.infer<typeof OwnVettingStatus>

/** An instructor as shown on a card. */
export const Instructor = z.object({
  id: uuidSchema,
  user: z.object({ firstName: z.string(), lastName: z.string(), profileSlug: z.string().nullable() }),
  /** The file's name under `/uploads/profile/`; null if there is no picture. */
  profilePicture: z.string().nullable(),
  type: z.array(z.enum(['baseball', 'softball'])),
  skills: z.array(Skill),
  /** Whether the instructor is currently featured on the landing page. */
  featured: z.boolean(),
  /** The checks that an administrator has recorded and that have not expired. */
  checks: z.array(PublicCheck),
  /** Median hours from an assignment to its feedback; null if there are too few sessions to tell. */
  responseHours: z.number().nullable(),
  /** The number of sessions for which feedback was delivered. */
  sessionsGiven: z.int(),
  rating: RatingSummary,
})
export type Instructor = z.infer<typeof Instructor>

export const Profile = Instructor.extend({
  about: z.string(),
  experience: z.string(),
  followers: z.int(),
  /** When the instructor joined, as ISO 8601. */
  since: z.iso.datetime(),
  /** Ratings by players, newest first; empty if there are too few to show. */
  ratings: z.array(PublicRating),
})
export type Profile = z.infer<typeof Profile>
/** A profile without the ratings, which are loaded separately. */
export type ProfileWithoutRatings = Omit<Profile, 'ratings'>

/** The profile as its owner reads it. */
const OwnProfile = Profile.extend({ vetting: OwnVettingStatus })

/** An instructor whom a player is connected with or follows. */
const ConnectedOrFollowedInstructor = Instructor.extend({
  connected: z.boolean(),
  followed: z.boolean(),
  /** Who can send the instructor folders: `open`, everybody; `invited`, only adults connected with or following them; `closed`, nobody. */
  standing: z.enum(['open', 'invited', 'closed']),
})
export type ConnectedOrFollowedInstructor = z.infer<typeof ConnectedOrFollowedInstructor>

export const ProfileChange = z.strictObject({
  type: SportList,
  skills: SkillList,
  about: z.string().trim().max(2000, 'At most 2000 characters'),
  experience: z.string().trim().max(2000, 'At most 2000 characters'),
  slug: Slug,
})
export type ProfileChange = z.output<typeof ProfileChange>

const instructorOnly = ['instructor'] as const

/** The sort key of the list of instructors: featured, joined, id. */
const InstructorPageCursor = z.tuple([z.boolean(), z.iso.datetime(), uuidSchema])
export type InstructorPageCursor = z.infer<typeof InstructorPageCursor>
const instructorPage = { after: cursorParameter(InstructorPageCursor).optional() }

export const instructorsContract = defineEndpoints({
  'GET /api/instructors': {
    summary: 'The instructors whom the caller may find, featured ones first; the header `link` names the next page',
    access: 'anyone',
    query: z.strictObject({
      ...instructorPage,
      limit: pageLimitParameter({ default: MAX_INSTRUCTORS_PER_PAGE, max: MAX_INSTRUCTORS_PER_PAGE }),
    }),
    reply: z.array(Instructor),
  },
  'GET /api/instructor-search': {
    summary: 'The instructors whom the caller may find, by name, sport and skill; `after` requests the next page',
    access: 'anyone',
    query: z.strictObject({
      ...instructorPage,
      limit: pageLimitParameter({ default: INSTRUCTORS_PER_PAGE, max: MAX_INSTRUCTORS_PER_PAGE }),
      name: z.string().trim().max(100).optional(),
      sport: z.enum(['baseball', 'softball']).optional(),
      skill: Skill.optional(),
    }),
    reply: z.object({ instructors: z.array(Instructor), next: z.string().nullable(), total: z.int() }),
  },
  'GET /api/instructors/{slug}': {
    summary: 'A public profile, by slug or id',
    access: 'anyone',
    params: z.strictObject({ slug: slugOrId }),
    reply: Profile,
  },
  'GET /api/instructors/by-invite/{inviteCode}': {
    summary: 'The instructor from whom an invitation comes',
    access: 'anyone',
    params: z.strictObject({ inviteCode: InviteCode }),
    // The specification has the picture in the user object; our cards have it next to that object.
    reply: Instructor.extend({
      user: Instructor.shape.user.extend({ profilePicture: Instructor.shape.profilePicture }),
      /** The first sentence of the instructor's description. */
      tagline: z.string().nullable(),
    }),
  },
  'GET /api/my/instructors': {
    summary: 'Instructors whom the player is connected to or follows',
    access: ['player'],
    reply: z.object({ instructors: z.array(ConnectedOrFollowedInstructor) }),
  },
  'PUT /api/instructors/{instructor}/connection': {
    summary: 'Connect the player to an instructor; a pending instructor requires their invite code',
    access: ['player'],
    params: z.strictObject({ instructor: uuidSchema }),
    query: z.strictObject({ invite: InviteCode.optional() }),
    status: 204,
  },
  'DELETE /api/instructors/{instructor}/connection': {
    summary: 'End the connection',
    access: ['player'],
    params: z.strictObject({ instructor: uuidSchema }),
    status: 204,
  },
  'PUT /api/instructors/{instructor}/follow': {
    summary: 'Follow; a pending instructor requires their invite code',
    access: ['player'],
    params: z.strictObject({ instructor: uuidSchema }),
    query: z.strictObject({ invite: InviteCode.optional() }),
    status: 204,
  },
  'DELETE /api/instructors/{instructor}/follow': {
    summary: 'Unfollow',
    access: ['player'],
    params: z.strictObject({ instructor: uuidSchema }),
    status: 204,
  },
  'GET /api/profile': {
    summary: "The caller's profile; missing parts are empty",
    access: instructorOnly,
    /** `deletionDue`: when the account will be deleted; absent if that is not scheduled. */
    reply: OwnProfile.extend({ deletionDue: z.iso.datetime().optional() }),
  },
  'PUT /api/profile': {
    summary: "Change the caller's profile; the change is public within a second",
    access: instructorOnly,
    body: ProfileChange,
    reply: OwnProfile,
  },
  'GET /api/profile/slugs/{slug}': {
    summary: 'Whether the profile may have this slug',
    access: instructorOnly,
    params: z.strictObject({ slug: slugOrId }),
    reply: z.object({ available: z.boolean(), message: z.string().nullable() }),
  },
  'GET /api/invite': {
    summary: "The caller's invite code",
    access: instructorOnly,
    reply: z.object({ code: z.string(), url: z.string() }),
  },
  'POST /api/invite': {
    summary: 'Renew the invite code; the old one stops working',
    access: instructorOnly,
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
