import { randomUUID } from 'node:crypto'
import { findLinkForUnsentLetter } from '../../modules/accounts/emailed-links.ts'
import type { FolderEvent } from '../../modules/folders/folder.ts'
import { handleCommand } from '../../modules/kernel/decider.ts'
import type { EventStore } from '../../modules/kernel/store.ts'
import type { ModelLibraryEvent } from '../../modules/model-clips/model-library.ts'
import type { PurchaseEvent } from '../../modules/payments/package-purchase.ts'
import type { PaymentEvent } from '../../modules/payments/payment.ts'
import { accountDecider } from '../../modules/privacy/account-exports-and-deletion-decider.ts'
import { birthDateForAge, type CookieClient, newInstructorInput, newPlayerInput, type TestServer } from './test-server.ts'

/** Creates records that belong to strangers: a player, an instructor and a guardian. Returns the records' ids by path parameter. */
export async function createStrangersRecords({ browser, deps, postedErrands, sql }: TestServer): Promise<Record<string, string>> {
  const [player, instructor] = [browser(), browser()]
  const { id: owner } = (await player.call('POST', '/api/register/player', newPlayerInput())).body
  const { id: reviewer } = (await instructor.call('POST', '/api/register/instructor', newInstructorInput())).body
  const [{ id: session }] = (await player.call('GET', '/api/sessions')).body.sessions
  const [folder, video, upload, assignment] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()]
  const at = new Date().toISOString()
  const review = { notes: [], summary: 'Good.', grades: [] }
  const quote = { items: [], total: 1550, atMost: 2500 }
  await write<FolderEvent>(deps.store, `folder-${folder}`, owner, [
    { type: 'FolderCreated', data: { player: owner, name: 'Theirs' } },
    {
      type: 'VideoAdded',
      data: {
        video: { id: video, name: 'a.mp4', type: 'video/mp4', bytes: 9, milliseconds: 9, width: 9, height: 9, key: 'a', poster: null },
      },
    },
    {
      type: 'FolderAssigned',
      data: {
        assignment,
        player: owner,
        instructor: reviewer,
        message: null,
        quote,
        terms: null,
        follows: null,
        videos: [{ id: video, bytes: 9 }],
      },
    },
    {
      type: 'FeedbackGiven',
      data: { assignment, player: owner, instructor: reviewer, review, billable: { videos: 1, bytes: 9, notes: 0 }, terms: null },
    },
  ])
  await write<PaymentEvent>(deps.store, `payment-${assignment}`, 'system', [
    {
      type: 'PaymentOpened',
      data: {
        folder,
        player: owner,
        instructor: reviewer,
        items: [{ label: 'Feedback', cents: 1500 }],
        total: 1500,
        share: 1200,
        opened: at,
        due: at,
      },
    },
  ])
  const clip = randomUUID()
  await write<ModelLibraryEvent>(deps.store, `library-${reviewer}`, reviewer, [
    {
      type: 'ModelClipAdded',
      data: {
        title: 'Theirs',
        skill: 'hitting',
        side: 'left',
        angle: 'side',
        video: { id: clip, name: 'a.mp4', type: 'video/mp4', bytes: 9, milliseconds: 9, width: 9, height: 9, key: 'a', poster: null },
      },
    },
  ])
  const purchase = randomUUID()
  await write<PurchaseEvent>(deps.store, `purchase-${purchase}`, owner, [
    {
      type: 'PackageBought',
      data: { player: owner, package: 'triple', folders: 3, amount: 4200, session: 'cs_theirs', intent: 'pi_theirs', charge: 'ch_theirs' },
    },
  ])
  await sql`insert into uploads (id, folder, player, name, type, bytes, fingerprint, part_bytes, multipart, started, touched)
    values (${upload}, ${folder}, ${owner}, 'a.mp4', 'video/mp4', 9, 'f', 9, 'm', now(), now())`
  const child = await registerMinorWithConsent({ browser, postedErrands, sql }, browser())
  const phrase = randomUUID()
  await sql`insert into phrases (id, instructor, text, kind, written) values (${phrase}, ${reviewer}, 'Stay back', 'tip', now())`
  const link = randomUUID()
  await sql`insert into review_links (id, hash, player, folder, session, name, created, expires)
    values (${link}, ${Buffer.from(link)}, ${owner}, ${folder}, ${assignment}, 'Grandma', now(), now() + interval '1 day')`
  const dataExport = randomUUID()
  const by = () => ({ command: randomUUID(), actor: owner })
  await handleCommand(deps.store, accountDecider, owner, 'requestExport', { export: dataExport, at }, by())
  await handleCommand(
    deps.store,
    accountDecider,
    owner,
    'finishExport',
    { export: dataExport, bytes: 9, until: '2099-01-01T00:00:00.000Z' },
    by(),
  )
  return {
    export: dataExport,
    player: owner,
    child,
    link,
    folder,
    video,
    upload,
    phrase,
    clip,
    session,
    assignment,
    payment: assignment,
    purchase,
    card: 'pm_theirs',
  }
}

/** Registers a minor. `guardian` gives consent through the link in the letter, which signs that browser in. @returns the minor's id */
export async function registerMinorWithConsent(
  { browser, postedErrands, sql }: Pick<TestServer, 'browser' | 'postedErrands' | 'sql'>,
  guardian: CookieClient,
  email = newPlayerInput().email,
): Promise<string> {
  const minor = newPlayerInput({ dateOfBirth: birthDateForAge(14), guardianName: 'Maria García', guardianEmail: email })
  const { id } = (await browser().call('POST', '/api/register/player', minor)).body
  const letter = (await postedErrands('letter.guardian')).find(e => e.payload.user === id)!
  const { token } = (await findLinkForUnsentLetter(sql, letter.payload.link as string))!
  const { status } = await guardian.call('POST', `/api/guardian/${token}`, { answer: 'yes' })
  if (status !== 204) throw new Error(`The guardian's link answered ${status}`)
  return id
}

const write = <E extends { type: string; data: object }>(store: EventStore, stream: string, actor: string, events: E[]) =>
  store.append(
    stream,
    -1n,
    events.map(e => ({ id: randomUUID(), ...e, meta: { command: randomUUID(), name: 'test', actor } })),
  )
