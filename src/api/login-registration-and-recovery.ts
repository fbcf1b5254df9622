import type { ISql, TransactionSql } from 'postgres'
import {
  type AuthenticatedUserIdAndPasswordHash,
  authenticate,
  consumeAdminRegistrationLink,
  isAdminRegistrationLinkUsable,
  isEmailOfAccount,
  isVerifiedPasswordCurrent,
  loadUser,
  registerAccount,
} from '../../modules/accounts/account-registration-and-authentication.ts'
import { adminInvitationDecider, errandToRecordAdminJoined } from '../../modules/accounts/admin-invitation-decider.ts'
import { accountsContract as contract, type User } from '../../modules/accounts/contract.ts'
import { errandToRecordAccountChange, hasCommandChangedAccount } from '../../modules/accounts/credential-changes.ts'
import { createEmailedLinkToken, findEmailedLink, isEmailedLinkIdTaken } from '../../modules/accounts/emailed-links.ts'
import type { PasswordOwner } from '../../modules/accounts/guessable-passwords.ts'
import { isKnownDevice, rememberDevice } from '../../modules/accounts/known-devices-for-login-limit.ts'
import { deviceName } from '../../modules/accounts/login-sessions.ts'
import { assertPasswordQueueHasRoom, type PasswordQueueKeys } from '../../modules/accounts/passwords.ts'
import { requestAccountRecovery, resetLinkOwnerForPasswordCheck, resetPassword } from '../../modules/accounts/recovery.ts'
import { connectToInviter } from '../../modules/instructors/connect-to-inviter.ts'
import { createInstructorProfile } from '../../modules/instructors/new-instructor-profile.ts'
import { derivedId, handleCommand } from '../../modules/kernel/decider.ts'
import { errand } from '../../modules/kernel/process.ts'
import { deleteLead } from '../../modules/leads/lead-table.ts'
import { loadAccountPrivacyState } from '../../modules/privacy/account-exports-and-deletion-decider.ts'
import { errandToRecordRegistration } from '../../modules/privacy/record-registration-errand.ts'
import { referralOfUser } from '../../modules/rewards/referral-codes-table.ts'
import { tokenHash } from '../../modules/secret-tokens.ts'
import { commandIdOfRequestUsingEmailedLink } from './command-id-of-request-using-emailed-link.ts'
import { accountSessionCookies, accountSessionTokenOf, deviceCookie, deviceTokenOf } from './cookies.ts'
import { requestGuardianConsent } from './guardian-consent-and-sign-in.ts'
import { requestInstructorEmailConfirmation } from './instructor-email-confirmation-letters.ts'
import { connectableInstructorIdByInviteCode } from './instructor-reachability.ts'
import { assertNotGuessable, passwordQueueKey } from './password-confirmation-and-strength.ts'
import { assertFound, invalidField, notAllowed, notFound, Problem } from './problem.ts'
import { clientAddressPrefix } from './rate-limits.ts'
import { commandReply, type RequestContext, routesOfContract } from './routing.ts'

/**
 * Ends the caller's current session, if any, and starts a new one, so that a token planted before the login (session fixation) is useless
 * after it.
 * @throws Problem 401 if the password changed since it was verified, 403 if an administrator closed the account
 */
async function signIn(
  ctx: Pick<RequestContext, 'cookies' | 'deps' | 'request'>,
  account: AuthenticatedUserIdAndPasswordHash,
): Promise<User> {
  const { cookies, deps, request } = ctx
  const { id } = account
  if ((await loadAccountPrivacyState(deps.store, id)).closingReason !== null)
    throw new Problem(403, 'We closed this account. Our email to you says why.', 'account-closed')
  const [token, device] = await deps.sql.begin(async tx => {
    if (!(await isVerifiedPasswordCurrent(tx, account))) throw wrongCredentials()
    return [
      await deps.sessions.start(id, deviceName(request.headers.get('user-agent')), tx),
      await rememberDevice(tx, id, deviceTokenOf(request, deps.config.origin), deps.clock()),
    ] as const
  })
  // The old session ends only now, so that a failed login leaves it alone.
  const before = accountSessionTokenOf(request, deps.config.origin)
  const old = before ? await deps.sessions.find(before) : null
  if (old) await deps.sessions.end(old.id, old.session)
  cookies.push(...accountSessionCookies(token, deps.config.origin), deviceCookie(device, deps.config.origin))
  return assertFound(await loadUser(deps.sql, id, deps.clock()))
}

const wrongCredentials = () => new Problem(401, 'Invalid username or password. Please try again.', 'wrong-credentials')

/**
 * The keys under which the password queue counts attempts from a network address, so that a flood from there does not delay other logins.
 */
const addressAsker = (address: string) => (address ? [`address:${clientAddressPrefix(address)}`] : [])

const welcome = (user: string) => errand({ id: user }, 'letter.welcome', { user }, { key: ['welcome'] })

/**
 * Refuses an unknown referral code, because the new user would later miss the discount. Passes without a code.
 * @throws Problem 422
 */
async function assertReferralCodeKnown(tx: ISql, id: string, code: string | undefined): Promise<void> {
  if (code && !(await referralOfUser(tx, id))?.referrer)
    throw invalidField('referralCode', "We don't know this referral code. Check it, or leave it empty.")
}

/**
 * Runs the checks that every registration has to pass first: the password is not guessable, the password queue has room, and there have
 * not been too many registrations from this network address.
 * @returns the keys under which the password queue counts this registration
 * @throws Problem 422 or 429, PasswordQueueFullError
 */
async function admitRegistration({
  deps,
  address,
  body,
}: Pick<RequestContext, 'deps' | 'address'> & { body: PasswordOwner & { email: string; password: string } }): Promise<PasswordQueueKeys> {
  assertNotGuessable(body.password, body)
  const asker = [...addressAsker(address), passwordQueueKey(body.email)]
  assertPasswordQueueHasRoom(asker)
  await deps.limits.take('register', address)
  return asker
}

const notAdmitted = () => notAllowed('This link cannot create an administrator account. Ask an administrator for an invitation.')
const linkOver = () => new Problem(410, 'This link has already been used or has expired. Ask for a new one.', 'link-over')

export const loginRegistrationAndRecoveryRoutes = routesOfContract(contract, {
  'GET /api/user': async ({ deps, user }) => assertFound(await loadUser(deps.sql, user.id, deps.clock())),

  'POST /api/login': async ctx => {
    const { deps, body } = ctx
    const device = deviceTokenOf(ctx.request, deps.config.origin)
    const address = addressAsker(ctx.address)
    const stranger = [...address, passwordQueueKey(body.username)]
    assertPasswordQueueHasRoom(device ? address : stranger)
    // Attempts from unknown devices do not use up the owner's attempts from a known device, so an attacker cannot lock the owner out.
    const knownDeviceKey =
      device && (await isKnownDevice(deps.sql, device, body.username, deps.clock()))
        ? tokenHash(`${device} ${body.username.trim().toLowerCase()}`).toString('hex')
        : undefined
    if (knownDeviceKey) await deps.limits.take('known-device', '', knownDeviceKey)
    else await deps.limits.take('login', ctx.address, body.username)
    const asker = knownDeviceKey ? [...address, `device:${knownDeviceKey}`] : stranger
    const account = await authenticate(deps.sql, body.username, body.password, asker)
    if (!account) throw wrongCredentials()
    return signIn(ctx, account)
  },

  'POST /api/logout': async ({ deps, user, cookies }) => {
    if (user) await deps.sessions.end(user.id, user.session)
    cookies.push(...accountSessionCookies(null, deps.config.origin))
  },

  'POST /api/register/player': async ctx => {
    const { deps, body, by } = ctx
    const now = deps.clock()
    const asker = await admitRegistration(ctx)
    const inviting = body.inviteCode ? await connectableInstructorIdByInviteCode(deps, body.inviteCode) : null
    const account = await registerAccount(deps.sql, { role: 'player', data: body, asker }, by.command, now, async (tx, id) => {
      await deleteLead(tx, body.email)
      await assertReferralCodeKnown(tx, id, body.referralCode)
      if (inviting) await connectToInviter(tx, id, inviting, now)
      await deps.post(tx, [welcome(id), errandToRecordRegistration(id, 'player')])
      const user = assertFound(await loadUser(tx, id, now))
      if (user.guardian !== 'waiting') return
      await requestGuardianConsent(tx, deps, id, body.guardianEmail!)
    })
    return signIn(ctx, account)
  },

  'POST /api/register/instructor': async ctx => {
    const { deps, body, by } = ctx
    const now = deps.clock()
    const asker = await admitRegistration(ctx)
    const account = await registerAccount(deps.sql, { role: 'instructor', data: body, asker }, by.command, now, async (tx, id) => {
      await deleteLead(tx, body.email)
      await assertReferralCodeKnown(tx, id, body.referralCode)
      await createInstructorProfile(tx, id, body, Boolean(body.referralCode), now)
      await deps.post(tx, [welcome(id), errandToRecordRegistration(id, 'instructor')])
      await requestInstructorEmailConfirmation(tx, deps, id)
    })
    return signIn(ctx, account)
  },

  'POST /api/register/admin': async ctx => {
    const { deps, body, by } = ctx
    const now = deps.clock()
    const asker = await admitRegistration(ctx)
    const token = body.token ?? ''
    const allowed = async () => {
      if (!(await isAdminRegistrationLinkUsable(deps.sql, token, now))) throw notAdmitted()
    }
    const enters = async (tx: TransactionSql, id: string) => {
      await deleteLead(tx, body.email)
      const link = await consumeAdminRegistrationLink(tx, token, now, id)
      if (!link) throw notAdmitted()
      await deps.post(tx, [errandToRecordAdminJoined(link, id), errandToRecordRegistration(id, 'admin')])
    }
    const account = await registerAccount(deps.sql, { role: 'admin', data: body, asker }, by.command, now, enters, allowed)
    return signIn(ctx, account)
  },

  'POST /api/admin/invitations': async ({ deps, body, user, by }) => {
    const id = derivedId(by.command, 'invitation')
    const { position } = await handleCommand(deps.store, adminInvitationDecider, id, 'invite', {}, by)
    await deps.sql.begin(async tx => {
      if (await isEmailedLinkIdTaken(tx, id)) return
      const link = await createEmailedLinkToken(tx, deps.clock(), 'admin-invitation', { id, owner: user.id, email: body.email })
      await deps.post(tx, [errand(link, 'letter.admin-invitation', { user: user.id, link: link.id }, { key: [] })])
    })
    return commandReply(position)
  },

  'GET /api/check-email': async ({ deps, query, address }) => {
    await deps.limits.take('check-email', address)
    return { exists: await isEmailOfAccount(deps.sql, query.email) }
  },

  'GET /api/sessions': async ({ deps, user }) => ({
    sessions: (await deps.sessions.of(user.id)).map(s => ({ ...s, current: s.id === user.session })),
  }),

  'DELETE /api/sessions': ({ deps, user }) => deps.sessions.endAll(user.id, user.session),

  'DELETE /api/sessions/{session}': async ({ deps, user, params, cookies }) => {
    if (!(await deps.sessions.end(user.id, params.session))) throw notFound()
    if (params.session === user.session) cookies.push(...accountSessionCookies(null, deps.config.origin))
  },

  'POST /api/recovery/password': async ({ deps, body, address }) => {
    await deps.limits.take('recovery', address, body.email)
    await requestAccountRecovery(deps.sql, deps.post, { kind: 'password', email: body.email }, deps.clock())
  },

  'POST /api/recovery/reset': async ctx => {
    const { deps, body, address, user, cookies } = ctx
    const command = commandIdOfRequestUsingEmailedLink(ctx)
    assertNotGuessable(body.password, {})
    await deps.limits.take('recovery', address)
    assertNotGuessable(body.password, await resetLinkOwnerForPasswordCheck(deps.sql, body.token, deps.clock()))
    const now = deps.clock()
    const then = async (tx: TransactionSql, id: string) => {
      await deps.sessions.endAll(id, undefined, tx)
      await deps.post(tx, [
        errandToRecordAccountChange(command, id, ['password'], now),
        errand({ id: command }, 'letter.password-changed', { user: id }),
      ])
    }
    const id = await resetPassword(deps.sql, body.token, body.password, now, then, addressAsker(address))
    if (!id && !(await hasCommandChangedAccount(deps.sql, command))) throw linkOver()
    if (user?.id === id) cookies.push(...accountSessionCookies(null, deps.config.origin))
  },

  'POST /api/recovery/email': async ({ deps, body, address }) => {
    // Count by the last ten digits, so that different spellings of one phone number share a limit, and by the name, so that guesses at the
    // name, which send no letter, do not stop the owner. The name is hashed, because it is stored with the limit.
    const digits = body.phone.replace(/\D/g, '').slice(-10)
    const name = tokenHash(`${body.firstName.trim()} ${body.lastName.trim()}`.toLowerCase()).toString('hex')
    await deps.limits.take('recovery', address, `${digits} ${name}`)
    await requestAccountRecovery(deps.sql, deps.post, { kind: 'email', ...body }, deps.clock())
  },

  'GET /api/links/{kind}/{token}': async ({ deps, params: { kind, token }, address }) => {
    await deps.limits.take('link', address)
    const now = deps.clock()
    return {
      works:
        kind === 'admin'
          ? await isAdminRegistrationLinkUsable(deps.sql, token, now)
          : (await findEmailedLink(deps.sql, now, kind, token)) !== null,
    }
  },
})
