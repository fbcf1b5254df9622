import { z } from 'zod'
import { ConsentAnswer, TimeZone } from '../consent/contract.ts'
import { DecisionReason } from '../decision-reason.ts'
import { defineEndpoints } from '../endpoint.ts'
import { uuidSchema } from '../uuid-validation.ts'
import { ADULT_AGE, ageOn, INVALID_NAME_MESSAGE, isValidPersonName, MIN_PASSWORD_LENGTH, MIN_PLAYER_AGE } from './policy.ts'

const time = z.iso.datetime()
const personName = (missing: string) =>
  z
    .string(missing)
    .trim()
    .min(1, { message: missing, abort: true })
    .max(80, 'At most 80 characters')
    .refine(isValidPersonName, INVALID_NAME_MESSAGE)
const email = z.string('Invalid email address').trim().max(254, 'Email address is too long').pipe(z.email('Invalid email address'))
const password = z
  .string(`Password must be at least ${MIN_PASSWORD_LENGTH} characters`)
  .min(MIN_PASSWORD_LENGTH, `Password must be at least ${MIN_PASSWORD_LENGTH} characters`)
  .max(200, 'Password must be at most 200 characters')
const phone = z
  .string('Phone number must be at least 10 digits')
  .trim()
  .min(10, 'Phone number must be at least 10 digits')
  .max(40, 'At most 40 characters')
/** An optional text field of a form; an empty field counts as missing. */
const word = z
  .string()
  .trim()
  .max(100, 'At most 100 characters')
  .nullish()
  .transform(value => value || undefined)
const born = z.iso
  .date({ message: 'Enter your date of birth', abort: true })
  .refine(day => ageOn(day, new Date()) >= 0, { message: 'This date is in the future. Check the year.', abort: true })
  .refine(day => day >= '1900-01-01', { message: 'This date is too far in the past. Check the year.', abort: true })

export const Sport = z.enum(['baseball', 'softball'])
export type Sport = z.infer<typeof Sport>
export const Skill = z.enum(['hitting', 'pitching', 'fielding', 'catching'])
export type Skill = z.infer<typeof Skill>
export const SportList = z.array(Sport, 'Please select at least one sport type').min(1, 'Please select at least one sport type').max(2)
export const SkillList = z.array(Skill, 'Please select at least one skill').min(1, 'Please select at least one skill').max(4)

/** The signed-in user, with the fields that every page needs. */
export const User = z.object({
  id: uuidSchema,
  /** The email address in lower case. */
  username: z.string(),
  role: z.enum(['player', 'instructor', 'admin']),
  firstName: z.string(),
  lastName: z.string(),
  email: z.string(),
  /** The file's name under `/uploads/profile/`; null if there is no picture. */
  profilePicture: z.string().nullable(),
  profileSlug: z.string().nullable(),
  /** The guardian's answer for a player under 18. Null for everybody else. */
  guardian: z.enum(['waiting', 'confirmed', 'refused', 'withdrawn']).nullable(),
})
export type User = z.infer<typeof User>

export const LoginInput = z.strictObject({
  username: z.string('Email is required').trim().min(1, 'Email is required').max(254, 'Email address is too long'),
  password: z.string('Password is required').min(1, 'Password is required').max(200, 'Password must be at most 200 characters'),
})

const person = {
  password,
  firstName: personName('First name is required'),
  lastName: personName('Last name is required'),
  email,
  phone,
  /** Optional; if present, it must be the email address. */
  username: z.string().trim().min(3, 'Username must be at least 3 characters').max(254).optional(),
}
const registration = {
  ...person,
  dateOfBirth: born,
  referralCode: word,
  inviteCode: word,
}
const sameName = (v: { email: string; username?: string }) => !v.username || v.username.toLowerCase() === v.email.toLowerCase()
const USERNAME_IS_EMAIL = { message: 'Your username is your email address', path: ['username'] }

export const PlayerRegistration = z
  .strictObject({
    ...registration,
    packageType: word,
    guardianName: word.refine(name => name === undefined || isValidPersonName(name), INVALID_NAME_MESSAGE),
    guardianEmail: z
      .union([z.literal(''), email])
      .nullish()
      .transform(value => value || undefined),
  })
  .refine(sameName, USERNAME_IS_EMAIL)
  .superRefine((v, ctx) => {
    const wrong = (path: string, message: string) => ctx.addIssue({ code: 'custom', path: [path], message })
    const age = ageOn(v.dateOfBirth, new Date())
    if (age < MIN_PLAYER_AGE) return wrong('dateOfBirth', `You must be at least ${MIN_PLAYER_AGE} years old to register`)
    if (age >= ADULT_AGE) return
    if (!v.guardianName) wrong('guardianName', "Your parent or guardian's name is required")
    if (!v.guardianEmail) wrong('guardianEmail', "Your parent or guardian's email is required")
    else if (v.guardianEmail.toLowerCase() === v.email.toLowerCase()) {
      wrong('guardianEmail', "Enter your parent or guardian's own email address")
    }
  })
export type PlayerRegistration = z.output<typeof PlayerRegistration>

export const InstructorRegistration = z
  .strictObject({ ...registration, type: SportList, skills: SkillList })
  .refine(sameName, USERNAME_IS_EMAIL)
  .refine(v => ageOn(v.dateOfBirth, new Date()) >= ADULT_AGE, {
    message: `Instructors must be at least ${ADULT_AGE} years old`,
    path: ['dateOfBirth'],
  })
export type InstructorRegistration = z.output<typeof InstructorRegistration>

export const AdminRegistration = z
  .strictObject({
    ...person,
    phone: word,
    /** The token of the setup link or of an invitation. Without a valid token the reply is 403. */
    token: word,
  })
  .refine(sameName, USERNAME_IS_EMAIL)
export type AdminRegistration = z.output<typeof AdminRegistration>

export const PasswordReset = z.strictObject({ token: z.string().min(1).max(100), password })
export const ForgotPasswordInput = z.strictObject({ email })
export const ForgotEmailInput = z.strictObject({ phone, firstName: person.firstName, lastName: person.lastName })
/** A guardian's name and email address, as the player enters them. */
export const NewGuardian = z.strictObject({ name: personName("Your parent or guardian's name is required"), email })
/** The next guardian's name and email address, as the current guardian enters them. */
export const NextGuardian = z.strictObject({ name: personName('Enter their name'), email })
/** The next guardian as an administrator enters them, with the reason for the change. */
export const AdminGuardianChangeInput = NextGuardian.extend({
  reason: DecisionReason,
})

export const DeviceSession = z.object({
  id: uuidSchema,
  /** Whether this is the session of the current request. */
  current: z.boolean(),
  started: time,
  lastUsed: time,
  /** Browser and operating system from the user agent: "Firefox on Windows". */
  device: z.string(),
})

const presentPassword = z.string('Enter your password').min(1, 'Enter your password').max(200, 'Password must be at most 200 characters')

/** The name and phone number of a player or instructor, with the same rules as at registration. */
export const NameAndPhone = z.strictObject({
  firstName: person.firstName,
  lastName: person.lastName,
  phone,
})
/** Like `NameAndPhone`, but the phone number may be empty. The server accepts that only from administrators. */
export const NameAndOptionalPhone = NameAndPhone.extend({ phone: z.union([z.literal(''), phone]) })
export const PasswordChangeInput = z.strictObject({ presentPassword, password })
export const EmailChangeInput = z.strictObject({ email, presentPassword })

/** How a player bats, throws and competes; null if the player has not said. */
export const PlayerTraits = z.strictObject({
  bats: z.enum(['right', 'left', 'switch']).nullable(),
  throws: z.enum(['right', 'left']).nullable(),
  level: z.enum(['youth', 'middle-school', 'high-school', 'college', 'adult']).nullable(),
})
export type PlayerTraits = z.infer<typeof PlayerTraits>

/** An account as shown to its owner. */
export const OwnAccount = z.object({
  firstName: z.string(),
  lastName: z.string(),
  /** `''` if the account has no phone number. */
  phone: z.string(),
  email: z.string(),
  /** True if our letters do not arrive at `email`. */
  undeliverable: z.boolean(),
  /** A new email address that is not confirmed yet, or null. */
  pendingEmail: z.string().nullable(),
  /** True for an instructor with a check that a change of name would end, such as of identity; absent in replies from older servers. */
  isNameChecked: z.boolean().optional(),
  /** When the owner last changed the password, or null if no change was recorded. */
  passwordChanged: z.iso.datetime().nullable(),
  /** The current guardian of a player under 18, with the name as entered for this player; null for everybody else. */
  guardian: z.object({ name: z.string(), email: z.string(), undeliverable: z.boolean() }).nullable(),
  /** The time zone for dates in letters to this account. */
  timeZone: z.string(),
})
export type OwnAccount = z.infer<typeof OwnAccount>

/** A player under 18, as shown to their guardian. */
export const FamilyChild = z.object({
  id: uuidSchema,
  firstName: z.string(),
  /** Whether this guardian has ever given consent for the child. Only then can the guardian read the child's data. */
  agreed: z.boolean(),
  /** The guardian's latest answer, or null before the first one. */
  consent: z.enum(['given', 'refused', 'withdrawn']).nullable(),
})
export type FamilyChild = z.infer<typeof FamilyChild>

/** `page`: the family page that the emailed sign-in link opens. */
export const FamilySignInRequest = z.strictObject({
  email,
  page: z
    .string()
    .max(200)
    .regex(/^\/family(?:\/[\w-]+)*(?:\?session=[\w-]+)?$/)
    .default('/family'),
})

const byToken = z.strictObject({ token: z.string().regex(/^[\w-]{43}$/) })

export const accountsContract = defineEndpoints({
  'GET /api/user': { summary: 'Who is logged in', access: 'signed-in', reply: User },
  'POST /api/login': { summary: 'Log in; starts a session', access: 'anyone', refusals: [401], body: LoginInput, reply: User },
  'POST /api/logout': { summary: 'End the current session, if there is one', access: 'anyone', status: 204 },
  'POST /api/register/player': {
    summary: 'Register a player and log in',
    access: 'anyone',
    body: PlayerRegistration,
    reply: User,
    status: 201,
  },
  'POST /api/register/instructor': {
    summary: 'Register an instructor and log in',
    access: 'anyone',
    body: InstructorRegistration,
    reply: User,
    status: 201,
  },
  'POST /api/register/admin': {
    summary: 'Register an admin, with the token of the setup link or of an invitation',
    access: 'anyone',
    body: AdminRegistration,
    reply: User,
    status: 201,
  },
  'POST /api/admin/invitations': {
    summary: 'Invite another admin by email',
    access: ['admin'],
    body: z.strictObject({ email }),
    status: 204,
  },
  'GET /api/check-email': {
    summary: 'Whether an account with this email address exists',
    access: 'anyone',
    query: z.strictObject({ email: z.string().trim().min(1).max(254) }),
    reply: z.object({ exists: z.boolean() }),
  },
  'GET /api/sessions': {
    summary: 'The devices on which this account is logged in',
    access: 'signed-in',
    reply: z.object({ sessions: z.array(DeviceSession) }),
  },
  'DELETE /api/sessions': { summary: 'End all other sessions of this account', access: 'signed-in', status: 204 },
  'DELETE /api/sessions/{session}': {
    summary: 'End a session of this account',
    access: 'signed-in',
    params: z.strictObject({ session: uuidSchema }),
    status: 204,
  },
  'POST /api/recovery/password': {
    summary: 'Send a link for choosing a new password; the reply is the same whether or not the account exists',
    access: 'anyone',
    body: ForgotPasswordInput,
    status: 204,
  },
  'POST /api/recovery/reset': {
    summary: 'Set a new password with the link from an email; ends all sessions (410 if the link was used)',
    access: 'anyone',
    refusals: [410],
    body: PasswordReset,
    status: 204,
  },
  'POST /api/recovery/email': {
    summary: 'Email the account its own address; the reply is always the same',
    access: 'anyone',
    body: ForgotEmailInput,
    status: 204,
  },
  'GET /api/links/{kind}/{token}': {
    summary: 'Whether a link from an email still works; asking does not use it up',
    access: 'anyone',
    params: z.strictObject({
      kind: z.enum(['reset-password', 'confirm-email', 'change-email', 'restore-email', 'admin']),
      token: z.string().min(1).max(100),
    }),
    reply: z.object({ works: z.boolean() }),
  },
})

/** Settings that people change in their own account. */
export const accountSettingsContract = defineEndpoints({
  'GET /api/account': { summary: "The caller's account with the data that they can change", access: 'signed-in', reply: OwnAccount },
  'PUT /api/account/details': {
    summary: "Change the caller's name and phone number",
    access: 'signed-in',
    body: NameAndOptionalPhone,
    reply: User,
  },
  'PUT /api/account/time-zone': {
    summary: 'Set the time zone of dates in emails; for a minor also of the quiet hours, unless the guardian has set one',
    access: 'signed-in',
    body: z.strictObject({ timeZone: TimeZone }),
    status: 204,
  },
  'GET /api/account/traits': { summary: 'How the player bats, throws and competes', access: ['player'], reply: PlayerTraits },
  'PUT /api/account/traits': {
    summary: 'Set how the player bats, throws and competes, which instructors see next to the videos',
    access: ['player'],
    body: PlayerTraits,
    status: 204,
  },
  'POST /api/account/password': {
    summary: "Change the caller's password; needs the current one and ends all other sessions",
    access: 'signed-in',
    body: PasswordChangeInput,
    status: 204,
  },
  'POST /api/account/email': {
    summary: 'Request another email address, with the current password; the link sent to the new address confirms it',
    access: 'signed-in',
    body: EmailChangeInput,
    status: 204,
  },
  'DELETE /api/account/email': {
    summary: 'Cancel the request for another email address; the link in its email stops working',
    access: 'signed-in',
    status: 204,
  },
  'POST /api/email-changes/{token}': {
    summary: 'Confirm a new email address with the link sent to it',
    access: 'anyone',
    params: byToken,
    refusals: [410],
    status: 204,
  },
  'POST /api/email-changes/{token}/undo': {
    summary: 'Restore the former email address with the link sent to it; ends all sessions of the account',
    access: 'anyone',
    params: byToken,
    refusals: [410],
    status: 204,
  },
})

/** Calls that name a parent or guardian, record their consent, and sign them in. */
export const guardiansContract = defineEndpoints({
  'GET /api/guardian/{token}': {
    summary: 'What the guardian of the link is asked to agree to',
    access: 'anyone',
    params: byToken,
    /** `isAccountKept`: whether the account is kept even after a refusal, because a guardian has given consent before. */
    reply: z.object({ playerFirstName: z.string(), guardianName: z.string(), isAccountKept: z.boolean() }),
  },
  'POST /api/guardian/{token}': {
    summary: 'The guardian agrees or refuses and is logged in; the link works once',
    access: 'anyone',
    params: byToken,
    body: ConsentAnswer,
    status: 204,
  },
  'GET /api/guardian': {
    summary: 'The guardian who was asked to agree for this player (404 if nobody was)',
    access: ['player'],
    refusals: [404],
    /**
     * `undeliverable`: our letters do not arrive at this address. `canNameAnother`: the player may name somebody else; otherwise only
     * support or a guardian who has given consent can. `keptUntil`: when the account will be deleted for lack of consent, or null.
     */
    reply: z.object({
      name: z.string(),
      email: z.string(),
      undeliverable: z.boolean(),
      canNameAnother: z.boolean(),
      keptUntil: z.iso.datetime().nullable(),
    }),
  },
  'POST /api/guardian': {
    summary: "Send the guardian's email again, or to another guardian as long as none has answered",
    access: ['player'],
    body: NewGuardian,
    status: 204,
  },
  'GET /api/family': {
    summary: 'The logged-in guardian, and the players under 18 who name them',
    access: 'guardian',
    /** `undeliverable`: our letters do not arrive at the guardian's address. */
    reply: z.object({
      guardian: z.object({ id: uuidSchema, name: z.string(), email: z.string(), undeliverable: z.boolean(), timeZone: z.string() }),
      children: z.array(FamilyChild),
    }),
  },
  'DELETE /api/family': {
    summary: 'Delete this guardian and their saved cards, if no player names them and they owe nothing; logs them out',
    access: 'guardian',
    status: 204,
  },
  'PUT /api/family/time-zone': {
    summary: "Set the family's time zone: emails to the children are held during its quiet hours",
    access: 'guardian',
    body: z.strictObject({ timeZone: TimeZone }),
    status: 204,
  },
  'POST /api/family/sign-in': {
    summary: 'Send a login link to a guardian; the reply is the same whether or not the guardian exists',
    access: 'anyone',
    body: FamilySignInRequest,
    status: 204,
  },
  'POST /api/family/links/{token}': {
    summary: "Log in with the link from an email, which works once; starts a guardian's session",
    access: 'anyone',
    params: byToken,
    refusals: [410],
    status: 204,
  },
  'POST /api/family/logout': { summary: 'End the current session of this guardian, if there is one', access: 'anyone', status: 204 },
  'GET /api/family/sessions': {
    summary: 'The devices on which this guardian is logged in',
    access: 'guardian',
    reply: z.object({ sessions: z.array(DeviceSession) }),
  },
  'DELETE /api/family/sessions': {
    summary: 'End all sessions of this guardian, including the current one',
    access: 'guardian',
    status: 204,
  },
  'DELETE /api/family/sessions/{session}': {
    summary: 'End a session of this guardian',
    access: 'guardian',
    params: z.strictObject({ session: uuidSchema }),
    status: 204,
  },
})

/** Calls that replace a player's guardian. */
export const guardianChangeContract = defineEndpoints({
  'POST /api/family/children/{child}/guardian': {
    summary:
      "Name another guardian for a child: the caller's view and card end at once, open sessions are returned, and the new guardian is asked to agree",
    access: 'guardian',
    params: z.strictObject({ child: uuidSchema }),
    body: NextGuardian,
    status: 204,
  },
  'POST /api/admin/people/{person}/guardian': {
    summary: "Replace the guardian of a player under 18, with a reason; the consequences are those of a guardian's own change",
    access: ['admin'],
    params: z.strictObject({ person: uuidSchema }),
    body: AdminGuardianChangeInput,
    status: 204,
  },
})
