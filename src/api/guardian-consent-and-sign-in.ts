import type { TransactionSql } from 'postgres'
import { v7 as newId } from 'uuid'
import { loadUser } from '../../modules/accounts/account-registration-and-authentication.ts'
import { guardiansContract as contract } from '../../modules/accounts/contract.ts'
import { relationOfEmailToAccount } from '../../modules/accounts/credential-changes.ts'
import { consumeEmailedLink, createEmailedLinkToken, restorableEmailRefusal } from '../../modules/accounts/emailed-links.ts'
import {
  childrenOf,
  consentRequestOfLink,
  currentGuardianWithConsentStatus,
  guardianById,
  guardianIdByEmail,
  hasAnyGuardianEverAgreed,
  hasChildren,
  hasFormerGuardianAgreed,
  initialConsentRefusedAt,
  setConsent,
  setFamilyTimeZone,
  setGuardianBeforeConsent,
} from '../../modules/accounts/guardian-tables.ts'
import { deviceName } from '../../modules/accounts/login-sessions.ts'
import { requestAccountRecovery } from '../../modules/accounts/recovery.ts'
import { errand } from '../../modules/kernel/process.ts'
import { CommandRefused } from '../../modules/kernel/store.ts'
import { isAddressUndeliverable } from '../../modules/letters/letter-delivery-table.ts'
import { deletionTimeAfterGuardianRefusal } from '../../modules/privacy/policy.ts'
import { hasGuardianObligations } from '../../projections/deletion-obstacles.ts'
import type { AppDependencies } from './app-dependencies.ts'
import { guardianSessionCookies } from './cookies.ts'
import { recordConsentAnswerInLog } from './family-consent.ts'
import { assertFound, notFound, Problem } from './problem.ts'
import { commandReply, findSignedInGuardian, type RequestContext, routesOfContract, withCaughtUpReadModels } from './routing.ts'

type CallContext = Pick<RequestContext, 'cookies' | 'deps' | 'request'>

/**
 * Within the transaction, queues the letter that asks a player's guardian for consent, and an errand that records the request in the event
 * log. Links in earlier letters stop working.
 */
export async function requestGuardianConsent(
  tx: TransactionSql,
  { post, clock }: Pick<AppDependencies, 'post' | 'clock'>,
  player: string,
  email: string,
) {
  const link = await createEmailedLinkToken(tx, clock(), 'guardian', { owner: player, email })
  const guardian = assertFound(await guardianIdByEmail(tx, email))
  await post(tx, [
    errand(link, 'letter.guardian', { user: player, link: link.id }, { key: [] }),
    errand(link, 'consent.ask', { player, guardian, link: link.id }),
  ])
}

/**
 * Uses up a link and starts its guardian's session in one transaction. `guardianBehind` returns the guardian's id, or null if the link is
 * invalid.
 */
async function signInByLink(
  { cookies, deps, request }: CallContext,
  guardianBehind: (tx: TransactionSql) => Promise<string | null>,
): Promise<boolean> {
  const old = await findSignedInGuardian(request, deps)
  const token = await deps.sql.begin(async tx => {
    const guardian = await guardianBehind(tx)
    return guardian && deps.sessions.startGuardian(guardian, deviceName(request.headers.get('user-agent')), tx)
  })
  if (!token) return false
  if (old) await deps.sessions.end(old.id, old.session)
  cookies.push(...guardianSessionCookies(token, deps.config.origin))
  return true
}

export const guardianRoutes = routesOfContract(contract, {
  'GET /api/guardian/{token}': async ({ deps, params, address }) => {
    await deps.limits.take('guardian', address)
    const { player, playerFirstName, guardianName } = assertFound(await consentRequestOfLink(deps.sql, params.token, deps.clock()))
    return { playerFirstName, guardianName, isAccountKept: await hasAnyGuardianEverAgreed(deps.sql, player) }
  },

  'POST /api/guardian/{token}': async ctx => {
    const { deps, params, address, body, by } = ctx
    await deps.limits.take('guardian', address)
    const now = deps.clock()
    const { player, guardian } = assertFound(await consentRequestOfLink(deps.sql, params.token, now))
    const { position, status } = await recordConsentAnswerInLog(deps, player, guardian, body, by)
    // Use up the link only after the log has the answer, so that the guardian can retry after an interruption.
    const signedIn = await signInByLink(ctx, async tx => {
      const isTheirs =
        (await setConsent(tx, player, guardian, status, now)) && (await consumeEmailedLink(tx, now, 'guardian', params.token))
      if (isTheirs && body.timeZone) await setFamilyTimeZone(tx, guardian, body.timeZone, { isDefault: true })
      return isTheirs ? guardian : null
    })
    if (!signedIn) throw notFound()
    return commandReply(position)
  },

  'GET /api/guardian': async ({ deps: { sql, clock }, user }) => {
    const { consent, ...guardian } = assertFound(await currentGuardianWithConsentStatus(sql, user.id))
    const [undeliverable, isChosen, refusedAt] = await Promise.all([
      isAddressUndeliverable(sql, guardian.email),
      hasFormerGuardianAgreed(sql, user.id),
      initialConsentRefusedAt(sql, user.id, clock()),
    ])
    return {
      ...guardian,
      undeliverable,
      canNameAnother: consent === null && !isChosen,
      keptUntil: refusedAt && deletionTimeAfterGuardianRefusal(refusedAt),
    }
  },

  'POST /api/guardian': async ({ deps, body, user, address }) => {
    await deps.limits.take('guardian', address, user.id)
    await deps.sql.begin(async tx => {
      const me = assertFound(await loadUser(tx, user.id, deps.clock()))
      if (me.guardian === 'withdrawn') {
        const why = 'Your parent or guardian has withdrawn their consent. They can agree again on their family page.'
        throw new CommandRefused(why, 'guardian-withdrew')
      }
      if (me.guardian !== 'waiting' && me.guardian !== 'refused') {
        throw new CommandRefused('Your parent or guardian has already agreed.', 'guardian-confirmed')
      }
      const ownEmail = await relationOfEmailToAccount(tx, me, body.email, deps.clock())
      if (ownEmail === 'former') throw restorableEmailRefusal('This was your own email address', 'your account')
      if (ownEmail) {
        throw new CommandRefused("Enter your parent or guardian's own email address", 'own-address', 'email')
      }
      const present = await currentGuardianWithConsentStatus(tx, user.id)
      if (present && present.email !== body.email.toLowerCase()) {
        // A minor must not get around a parent's "No" by naming somebody else.
        if (present.consent === 'refused') {
          throw new CommandRefused(`${present.name} said no. Only our support team can name someone else.`, 'guardian-answered', 'email')
        }
        if (await hasFormerGuardianAgreed(tx, user.id)) {
          const why = `Only our support team can replace ${present.name}.`
          throw new CommandRefused(why, 'guardian-chosen', 'email')
        }
      }
      await setGuardianBeforeConsent(tx, user.id, body, deps.clock())
      await requestGuardianConsent(tx, deps, user.id, body.email)
    })
  },

  'GET /api/family': async ({ deps, guardian }) => {
    const me = assertFound(await guardianById(deps.sql, guardian.id))
    return {
      guardian: { ...me, undeliverable: await isAddressUndeliverable(deps.sql, me.email) },
      children: await childrenOf(deps.sql, guardian.id, deps.clock()),
    }
  },

  'DELETE /api/family': withCaughtUpReadModels(['payments', 'assignments'], async ({ deps, guardian, cookies, minPosition }) => {
    if (await hasChildren(deps.sql, guardian.id, deps.clock())) {
      throw new CommandRefused('A player under 18 names you as parent or guardian, so we cannot delete your data yet.', 'has-children')
    }
    if (await hasGuardianObligations(deps.sql, guardian.id))
      throw new CommandRefused('A session that you pay for is not settled yet. Try again once it is.', 'unpaid')
    await deps.post(deps.sql, [errand({ id: newId() }, 'guardian.delete', { guardian: guardian.id, position: `${minPosition ?? 0n}` })])
    await deps.sessions.endAll(guardian.id)
    cookies.push(...guardianSessionCookies(null, deps.config.origin))
  }),

  'PUT /api/family/time-zone': ({ deps, guardian, body }) => setFamilyTimeZone(deps.sql, guardian.id, body.timeZone),

  'POST /api/family/sign-in': async ({ deps, body, address }) => {
    // Counted apart from password recovery, so that requests which send no letter cannot use up the other kind's.
    await deps.limits.take('recovery', address, `family:${body.email}`)
    await requestAccountRecovery(deps.sql, deps.post, { kind: 'family', ...body }, deps.clock())
  },

  'POST /api/family/links/{token}': async ctx => {
    const { deps, params, address } = ctx
    await deps.limits.take('link', address)
    const signedIn = await signInByLink(ctx, async tx => {
      const [now, { token }] = [deps.clock(), params]
      const link =
        (await consumeEmailedLink(tx, now, 'family-sign-in', token)) ?? (await consumeEmailedLink(tx, now, 'family-letter', token))
      return link?.guardian ?? null
    })
    if (!signedIn) throw new Problem(410, 'This link has already been used or has expired. We can send you a new one.', 'link-over')
  },

  'POST /api/family/logout': async ({ deps, request, cookies }) => {
    const guardian = await findSignedInGuardian(request, deps)
    if (guardian) await deps.sessions.end(guardian.id, guardian.session)
    cookies.push(...guardianSessionCookies(null, deps.config.origin))
  },

  'GET /api/family/sessions': async ({ deps, guardian }) => ({
    sessions: (await deps.sessions.of(guardian.id)).map(s => ({ ...s, current: s.id === guardian.session })),
  }),

  'DELETE /api/family/sessions': async ({ deps, guardian, cookies }) => {
    await deps.sessions.endAll(guardian.id)
    cookies.push(...guardianSessionCookies(null, deps.config.origin))
  },

  'DELETE /api/family/sessions/{session}': async ({ deps, guardian, params, cookies }) => {
    if (!(await deps.sessions.end(guardian.id, params.session))) throw notFound()
    if (params.session === guardian.session) cookies.push(...guardianSessionCookies(null, deps.config.origin))
  },
})
