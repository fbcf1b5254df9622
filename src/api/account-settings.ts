import type { z } from 'zod'
import { isUserMinor, isVerifiedPasswordCurrent, loadUser } from '../../modules/accounts/account-registration-and-authentication.ts'
import { accountSettingsContract as contract, type NameAndPhone } from '../../modules/accounts/contract.ts'
import {
  assertEmailFree,
  deleteCredentialChangeLinks,
  errandToRecordAccountChange,
  hasCommandChangedAccount,
  pendingEmailOf,
  setEmailByChangeOrRestoreLink,
  setPasswordAndForgetKnownDevicesAndLinks,
} from '../../modules/accounts/credential-changes.ts'
import { createEmailedLinkToken } from '../../modules/accounts/emailed-links.ts'
import { currentGuardianWithConsentStatus } from '../../modules/accounts/guardian-tables.ts'
import { rememberDevice } from '../../modules/accounts/known-devices-for-login-limit.ts'
import { hashPassword } from '../../modules/accounts/passwords.ts'
import { playerTraitsOf, savePlayerTraits } from '../../modules/accounts/player-traits-table.ts'
import { accountTimeZoneOf, setAccountTimeZone } from '../../modules/accounts/stored-time-zones.ts'
import { utcDayOf } from '../../modules/dates.ts'
import { invalidateProfilePagesOf } from '../../modules/instructors/instructor-profile-and-connection-tables.ts'
import { loadState } from '../../modules/kernel/decider.ts'
import { errand } from '../../modules/kernel/process.ts'
import { isAddressUndeliverable } from '../../modules/letters/letter-delivery-table.ts'
import { loadAccountPrivacyState } from '../../modules/privacy/account-exports-and-deletion-decider.ts'
import { checksEndedByNameChange, vettingDecider } from '../../modules/vetting/vetting.ts'
import type { AppDependencies } from './app-dependencies.ts'
import { commandIdOfRequestUsingEmailedLink } from './command-id-of-request-using-emailed-link.ts'
import { deviceTokenOf } from './cookies.ts'
import { assertNotGuessable, assertOwnPassword, incorrectPassword, ownPasswordQueueKey } from './password-confirmation-and-strength.ts'
import { assertFound, invalidField, Problem } from './problem.ts'
import { routesOfContract } from './routing.ts'

const linkOver = () =>
  new Problem(410, 'This link has already been used or has expired. Ask for a new one on your account page.', 'link-over')

/** Updates the name and phone number, and records in the event log which of them changed. */
async function changeNameAndPhone(
  { sql, post, clock }: AppDependencies,
  id: string,
  details: z.output<typeof NameAndPhone>,
  command: string,
) {
  await sql.begin(async tx => {
    const [before] = await tx<{ firstName: string; lastName: string; phone: string | null; role: string }[]>`
      select first_name as "firstName", last_name as "lastName", phone, role from users where id = ${id} for update`
    const { firstName, lastName, phone } = details
    if (!phone && assertFound(before).role !== 'admin') throw invalidField('phone', 'Phone number must be at least 10 digits')
    const isRenamed = before?.firstName !== firstName || before.lastName !== lastName
    const fields = [...(isRenamed ? ['name'] : []), ...((before?.phone ?? '') !== phone ? ['phone'] : [])]
    if (!fields.length) return
    await tx`update users set first_name = ${firstName}, last_name = ${lastName}, phone = ${phone || null} where id = ${id}`
    if (isRenamed) await invalidateProfilePagesOf(tx, id)
    await post(tx, [errandToRecordAccountChange(command, id, fields, clock())])
  })
}

export const accountSettingsRoutes = routesOfContract(contract, {
  'GET /api/account': async ({ deps, user }) => {
    const now = deps.clock()
    const [row] = await deps.sql<{ firstName: string; lastName: string; phone: string; email: string }[]>`
      select first_name as "firstName", last_name as "lastName", coalesce(phone, '') as phone, email from users where id = ${user.id}`
    const account = assertFound(row)
    const guardian = (await isUserMinor(deps.sql, user.id, now)) ? await currentGuardianWithConsentStatus(deps.sql, user.id) : null
    return {
      ...account,
      isNameChecked:
        user.role === 'instructor' &&
        checksEndedByNameChange(await loadState(deps.store, vettingDecider, user.id), utcDayOf(now)).length > 0,
      undeliverable: await isAddressUndeliverable(deps.sql, account.email),
      timeZone: await accountTimeZoneOf(deps.sql, user.id),
      pendingEmail: await pendingEmailOf(deps.sql, user.id, now),
      passwordChanged: (await loadAccountPrivacyState(deps.store, user.id)).changed.password ?? null,
      guardian: guardian && { ...guardian, undeliverable: await isAddressUndeliverable(deps.sql, guardian.email) },
    }
  },

  'PUT /api/account/details': async ({ deps, user, body, by }) => {
    await changeNameAndPhone(deps, user.id, body, by.command)
    return assertFound(await loadUser(deps.sql, user.id, deps.clock()))
  },

  'PUT /api/account/time-zone': async ({ deps, user, body }) => {
    await setAccountTimeZone(deps.sql, user.id, body.timeZone)
  },

  'GET /api/account/traits': ({ deps, user }) => playerTraitsOf(deps.sql, user.id),
  'PUT /api/account/traits': async ({ deps, user, body }) => {
    await savePlayerTraits(deps.sql, user.id, body)
  },

  'POST /api/account/password': async ctx => {
    const { deps, user, body, by, request } = ctx
    const isChanged = () => hasCommandChangedAccount(deps.sql, by.command)
    if (await isChanged()) return
    const owner = assertFound(await loadUser(deps.sql, user.id, deps.clock()))
    assertNotGuessable(body.password, owner)
    const verified = await assertOwnPassword(ctx, body.presentPassword, 'presentPassword').catch(async error => {
      // The browser repeats a slow request, so a copy of this one may have made the change in the meantime.
      if (await isChanged()) return null
      throw error
    })
    if (!verified) return
    const hash = await hashPassword(body.password, [ownPasswordQueueKey(user.id)])
    const now = deps.clock()
    await deps.sql.begin(async tx => {
      if (!(await isVerifiedPasswordCurrent(tx, verified))) {
        // The copy may have made it since the password was checked.
        if (await hasCommandChangedAccount(tx, by.command)) return
        throw incorrectPassword('presentPassword')
      }
      await setPasswordAndForgetKnownDevicesAndLinks(tx, user.id, hash)
      // A password change forgets all known devices, so the browser that made the change is added again.
      const device = deviceTokenOf(request, deps.config.origin)
      if (device) await rememberDevice(tx, user.id, device, now)
      await deps.sessions.endAll(user.id, user.session, tx)
      await deps.post(tx, [
        errandToRecordAccountChange(by.command, user.id, ['password'], now),
        errand({ id: by.command }, 'letter.password-changed', { user: user.id }),
      ])
    })
  },

  'POST /api/account/email': async ctx => {
    const { deps, user, body, by, address } = ctx
    const verified = await assertOwnPassword(ctx, body.presentPassword, 'presentPassword')
    const { username } = assertFound(await loadUser(deps.sql, user.id, deps.clock()))
    if (body.email.toLowerCase() === username) throw invalidField('email', 'This is already your email address')
    await deps.limits.take('recovery', address, user.id)
    await deps.sql.begin(async tx => {
      if (!(await isVerifiedPasswordCurrent(tx, verified))) throw incorrectPassword('presentPassword')
      await assertEmailFree(tx, user.id, body.email, deps.clock())
      const link = await createEmailedLinkToken(tx, deps.clock(), 'change-email', { owner: user.id, email: body.email })
      await deps.post(tx, [
        errand(link, 'letter.confirm-new-email', { user: user.id, link: link.id }),
        errand({ id: by.command }, 'letter.email-change-asked', { user: user.id }),
      ])
    })
  },

  'DELETE /api/account/email': async ({ deps, user }) => {
    await deps.sql`delete from links where kind = 'change-email' and owner = ${user.id}`
  },

  'POST /api/email-changes/{token}': async ctx => {
    const { deps, params, address } = ctx
    const command = commandIdOfRequestUsingEmailedLink(ctx)
    await deps.limits.take('link', address)
    const now = deps.clock()
    const owner = await deps.sql.begin(async tx => {
      const replaced = await setEmailByChangeOrRestoreLink(tx, 'change-email', params.token, now)
      if (!replaced) return null
      const back = await createEmailedLinkToken(tx, now, 'restore-email', { owner: replaced.owner, email: replaced.former })
      await deps.post(tx, [
        errandToRecordAccountChange(command, replaced.owner, ['email'], now),
        errand(back, 'letter.email-changed', { user: replaced.owner, link: back.id }),
        errand(back, 'account.email-confirmed', { person: replaced.owner }),
      ])
      return replaced.owner
    })
    if (!owner && !(await hasCommandChangedAccount(deps.sql, command))) throw linkOver()
  },

  'POST /api/email-changes/{token}/undo': async ctx => {
    const { deps, params, address } = ctx
    const command = commandIdOfRequestUsingEmailedLink(ctx)
    await deps.limits.take('link', address)
    const now = deps.clock()
    const owner = await deps.sql.begin(async tx => {
      const replaced = await setEmailByChangeOrRestoreLink(tx, 'restore-email', params.token, now)
      if (!replaced) return null
      await tx`delete from devices where owner = ${replaced.owner}`
      await deleteCredentialChangeLinks(tx, replaced.owner)
      await deps.sessions.endAll(replaced.owner, undefined, tx)
      await deps.post(tx, [errandToRecordAccountChange(command, replaced.owner, ['email'], now)])
      return replaced.owner
    })
    if (!owner && !(await hasCommandChangedAccount(deps.sql, command))) throw linkOver()
  },
})
