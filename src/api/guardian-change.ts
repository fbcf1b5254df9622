import { guardianChangeContract as contract } from '../../modules/accounts/contract.ts'
import { currentGuardianOf, findOrAddGuardian, replaceGuardian } from '../../modules/accounts/guardians.ts'
import { userOf } from '../../modules/accounts/user-accounts.ts'
import { consentDecider } from '../../modules/consent/consent.ts'
import { type CommandSource, handleCommand } from '../../modules/kernel/decider.ts'
import { errand } from '../../modules/kernel/process.ts'
import { CommandRefused, streamOf } from '../../modules/kernel/store.ts'
import { revokeReviewLinksOf } from '../../modules/sharing/review-links.ts'
import type { AppDependencies } from './app-dependencies.ts'
import { requestGuardianConsent } from './guardians.ts'
import { assertFound, notFound } from './problem.ts'
import { commandReply, routesOfContract } from './routing.ts'

/** The log position at which this command changed the player's guardian, and whether it is the latest such change; undefined if it has not. */
async function changeByCommand({ store }: Pick<AppDependencies, 'store'>, player: string, { command }: CommandSource) {
  const changes = (await store.read(streamOf(consentDecider.stream, player))).filter(event => event.type === 'GuardianChanged')
  const change = changes.find(event => event.meta.command === command)
  return change && { position: change.position, isLatest: change === changes.at(-1) }
}

/** The player's current guardian, if that is the caller and they have ever consented. */
const ownPresent = async ({ sql }: Pick<AppDependencies, 'sql'>, player: string, guardian: string) => {
  const present = await currentGuardianOf(sql, player)
  return present?.agreed && present.guardian === guardian ? present : null
}

interface Change {
  player: string
  /** Null if the player had no guardian. */
  former: { guardian: string; agreed: boolean } | null
  to: { name: string; email: string }
  reason: string | null
}

/**
 * Ends the former guardian's access and payments, and asks the new one for consent. The log is written before the accounts, so that a retry
 * after an interruption completes the change.
 * @returns the position of the change
 */
async function changeGuardian(deps: AppDependencies, { player, former, to, reason }: Change, by: CommandSource): Promise<bigint> {
  const { sql, store, clock, post } = deps
  const guardian = await findOrAddGuardian(sql, to, clock())
  const change = { guardian, former: former?.guardian ?? null, reason }
  const { position } = await handleCommand(store, consentDecider, player, 'change', change, by)
  const isReplaced = await sql.begin(async tx => {
    if (!(await replaceGuardian(tx, player, { ...change, ...to }, clock()))) return false
    await revokeReviewLinksOf(tx, player)
    await requestGuardianConsent(tx, deps, player, to.email)
    // A former guardian who never consented may be a stranger whose address was a typing error, so they get no letter.
    if (former?.agreed) await post(tx, [errand({ id: by.command }, 'letter.guardian-changed', { user: player, guardian: former.guardian })])
    return true
  })
  if (!isReplaced) throw new CommandRefused('Someone else changed this a moment ago. Reload the page.', 'guardian-changed')
  return position
}

const assertAnotherAddress = (email: string, player: { username: string }, present: { email: string } | null) => {
  const address = email.toLowerCase()
  if (address === player.username)
    throw new CommandRefused("Enter the guardian's own email address, not the player's", 'own-address', 'email')
  if (address === present?.email)
    throw new CommandRefused('This is the present guardian. Enter another email address.', 'same-guardian', 'email')
}

export const guardianChangeRoutes = routesOfContract(contract, {
  'POST /api/family/children/{child}/guardian': async ({ deps, guardian, params, body, by, address }) => {
    const { child } = params
    const [present, user] = [await ownPresent(deps, child, guardian.id), await userOf(deps.sql, child, deps.clock())]
    // If the response to an earlier attempt was lost, this guardian has already been replaced; return the position of that change.
    if (!present || !user?.guardian) return commandReply(assertFound(await changeByCommand(deps, child, by)).position)
    assertAnotherAddress(body.email, user, present)
    await deps.limits.take('guardian', address, guardian.id)
    return commandReply(await changeGuardian(deps, { player: child, former: present, to: body, reason: null }, by))
  },

  'POST /api/admin/people/{person}/guardian': async ({ deps, user: admin, params, body, by, address }) => {
    const { person } = params
    const user = await userOf(deps.sql, person, deps.clock())
    if (user?.role !== 'player') throw notFound()
    if (user.guardian === null) throw new CommandRefused('This player is 18 or older and needs no guardian.', 'of-age')
    const done = await changeByCommand(deps, person, by)
    const present = await currentGuardianOf(deps.sql, person)
    const { reason, ...to } = body
    // The latest change may have been interrupted between the log and the accounts, so it is completed. An earlier one must not be repeated.
    if (done && (!done.isLatest || present?.email === to.email.toLowerCase())) return commandReply(done.position)
    assertAnotherAddress(to.email, user, present)
    await deps.limits.take('guardian', address, admin.id)
    return commandReply(await changeGuardian(deps, { player: person, former: present, to, reason }, by))
  },
})
