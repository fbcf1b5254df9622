import { payerOf } from '../../modules/accounts/payer.ts'
import { utcDayOf } from '../../modules/dates.ts'
import type { OwnFolderSummary, Session } from '../../modules/folders/contract.ts'
import { loadState } from '../../modules/kernel/decider.ts'
import { mediaJobQueue } from '../../modules/media/media-job-queue.ts'
import { convertedVoiceKey, deliveredVoiceKey } from '../../modules/media/object-keys.ts'
import { allowanceDecider } from '../../modules/payments/allowance.ts'
import { InstructorPayment, Payment } from '../../modules/payments/contract.ts'
import { payoutAccountAndDebtDecider } from '../../modules/payments/payout-account-and-debt-decider.ts'
import { walletDecider } from '../../modules/payments/wallet.ts'
import { phrasesOf } from '../../modules/phrases/phrase-table.ts'
import type { Voice } from '../../modules/reviews/contract.ts'
import { creditsAndPointsDecider } from '../../modules/rewards/credits-and-points-decider.ts'
import { vettingDecider } from '../../modules/vetting/vetting.ts'
import { pageOfInstructorSessionsForExport, type SessionRow, sessionsOfFolderOrPlayer } from '../../projections/assignments.ts'
import { type FolderRow, foldersOfPlayer, foldersWithIds } from '../../projections/folders.ts'
import { modelClipsOf } from '../../projections/model-libraries.ts'
import { purchasesOf } from '../../projections/package-purchases.ts'
import { paymentsOfInstructor, paymentsOfPlayer } from '../../projections/payments.ts'
import { supportRequestsOfUser } from '../../projections/support-requests.ts'
import type { AppDependencies } from '../api/app-dependencies.ts'
import { folderPresenter } from '../api/folder-presenter.ts'
import { comparisonTitle, labeledClipsOfComparison, labeledClipsOfReview } from '../comparison/labeled-clips.ts'
import { framePairsToPrint, type PrintedComparison } from '../download/comparison-frame-pairs-to-print.ts'
import { renderFeedbackPdf } from '../download/feedback-pdf.ts'
import { safeFileName, VOICE_FILE_EXTENSIONS, videoFileNames } from '../download/file-names.ts'
import { printedTechniqueOf } from '../download/pdf-technique-data.ts'
import type { PdfFontFiles } from '../download/pdf-text.ts'
import type { ReviewedSession } from '../folders/reviewed-session-type.ts'
import type { RequestedStill } from '../review-video/printed-stills-input.ts'
import { site } from '../site.ts'
import { exportedDraftsOf, exportedLettersOf, exportedProfileOf, exportedReviewLinksOf, exportedSignInsOf } from './data-export-records.ts'
import { loadPreparedClipsWithFrameTables, renderPrintedStills } from './printed-stills.ts'

interface ExportedFile {
  name: string
  input: string | Uint8Array | ReadableStream<Uint8Array>
}

const SESSIONS_PER_QUERY = 100

/** Fields with signed URLs. They expire within the hour, so an export omits them. */
const ADDRESS_FIELDS = new Set(['url', 'poster', 'rendition'])
const asJson = (value: unknown) => JSON.stringify(value, (field, inner) => (ADDRESS_FIELDS.has(field) ? undefined : inner), 2)

/** Returns a function that turns a name into a safe folder name, different from all that it returned before, even in letter case. */
function uniqueNames() {
  const taken = new Set<string>()
  return (name: string) => {
    const plain =
      safeFileName(name)
        .replace(/^\.+|[. ]+$/g, '')
        .trim() || 'Folder'
    let unique = plain
    for (let n = 2; taken.has(unique.toLowerCase()); n++) unique = `${plain} (${n})`
    taken.add(unique.toLowerCase())
    return unique
  }
}

/**
 * Yields all data that the platform holds about a person, file by file, so that a video is read only when its turn comes. Files that are
 * deleted in the meantime are left out.
 * @throws ObjectStoreUnavailableError, or Error if a player's voice-over has not been converted yet
 */
export async function* dataExportContents(deps: AppDependencies, person: string, fonts: PdfFontFiles): AsyncGenerator<ExportedFile> {
  const { sql, store, clock } = deps
  const now = clock()
  const profile = await exportedProfileOf(sql, person)
  // The account was deleted in the meantime.
  if (!profile) return
  const { picture, ...known } = profile
  const isInstructor = known.role === 'instructor'
  yield { name: 'Read me.txt', input: readMe(now) }
  yield { name: 'Profile/profile.json', input: asJson(known) }
  if (picture) yield { name: 'Profile/picture.webp', input: picture }

  const [folders, sessions] = await Promise.all([foldersOfPlayer(sql, person), sessionsOfFolderOrPlayer(sql, 'player', person)])
  const nameOnce = uniqueNames()
  for (const row of folders) {
    const folderSessions = sessions.filter(s => s.folder === row.id)
    yield* folderFiles(deps, row, folderSessions, `Folders/${nameOnce(row.name)}`, fonts)
  }
  const links = await exportedReviewLinksOf(sql, person)
  if (links.length) yield { name: 'Folders/links.json', input: asJson(links) }
  if (isInstructor) {
    yield* givenReviews(deps, person, fonts)
    const drafts = await exportedDraftsOf(sql, person)
    if (drafts.length) yield { name: 'Reviews/drafts.json', input: asJson(drafts) }
  }

  const [payments, packages, requests, credits] = await Promise.all([
    paymentsOfPlayer(sql, person, now),
    purchasesOf(sql, { player: person }, { person }),
    supportRequestsOfUser(sql, person),
    loadState(store, creditsAndPointsDecider, person),
  ])
  // The contract leaves out what this person must not see: the instructor's debt, and the provider's ids of disputes.
  const receipts = { sessions: payments.map(p => Payment.parse(p)), packages }
  yield { name: 'Payments/receipts.json', input: asJson(receipts) }
  yield { name: 'Payments/credits.json', input: asJson(credits) }
  const { cards } = await loadState(store, walletDecider, person)
  yield {
    name: 'Payments/cards.json',
    input: asJson(cards.map(({ brand, last4, expMonth, expYear }) => ({ brand, last4, expMonth, expYear }))),
  }
  // If a guardian pays, the export contains the child's allowance. It contains the card neither here nor in the receipts, because the card
  // is the guardian's own data.
  if ((await payerOf(sql, person, now))?.id !== person) {
    const { monthly, spent } = await loadState(store, allowanceDecider, person)
    yield { name: 'Payments/allowance.json', input: asJson({ monthly, spent }) }
  }
  if (isInstructor) {
    const { ready, requirements } = await loadState(store, payoutAccountAndDebtDecider, person)
    const earned = (await paymentsOfInstructor(sql, person, { person }, now)).map(p => InstructorPayment.parse(p))
    yield { name: 'Payments/earnings.json', input: asJson({ payouts: { ready, requirements }, earned }) }
    yield { name: 'Profile/checks.json', input: asJson(await loadState(store, vettingDecider, person)) }
    yield* modelClipFiles(deps, person)
    yield { name: 'Profile/phrases.json', input: asJson(await phrasesOf(sql, person)) }
  }
  yield { name: 'Support/requests.json', input: asJson(requests) }
  const letters = await exportedLettersOf(
    sql,
    person,
    known.role,
    requests.map(r => r.id),
  )
  yield { name: 'Emails/emails.json', input: asJson(letters) }
  yield { name: 'Logins/logins.json', input: asJson(await exportedSignInsOf(sql, person)) }
}

/** A player's folder: its data, its original videos, and each session. */
async function* folderFiles(
  deps: AppDependencies,
  row: FolderRow,
  sessions: SessionRow[],
  path: string,
  fonts: PdfFontFiles,
): AsyncGenerator<ExportedFile> {
  const view = await folderPresenter(deps, [row], 'player')
  const folder = await view.own(row, sessions)
  yield { name: `${path}/folder.json`, input: asJson(folder) }
  const names = videoFileNames(row.clips as { id: string; name: string; type: 'video/mp4' }[])
  for (const { id, key } of row.clips) {
    const bytes = await deps.objects.stream(key)
    if (bytes) yield { name: `${path}/Videos/${names.get(id)}`, input: bytes }
  }
  for (const [i, line] of sessions.toReversed().entries()) {
    const session = await view.session(row, line)
    yield* sessionFiles(deps, folder, session, `${path}/Session ${i + 1}`, 'player', fonts)
  }
}

/** An instructor's library: what they said and confirmed about each clip, and the original files. */
async function* modelClipFiles({ sql, objects }: AppDependencies, instructor: string): AsyncGenerator<ExportedFile> {
  const clips = await modelClipsOf(sql, instructor)
  if (!clips.length) return
  yield { name: 'Model clips/clips.json', input: asJson(clips) }
  const names = videoFileNames(clips.map(({ video }) => video as { id: string; name: string; type: 'video/mp4' }))
  for (const { video } of clips) {
    const bytes = await objects.stream(video.key)
    if (bytes) yield { name: `Model clips/${names.get(video.id)}`, input: bytes }
  }
}

/** The sessions that were assigned to an instructor, with what they wrote. The players' videos are not included. */
async function* givenReviews(deps: AppDependencies, instructor: string, fonts: PdfFontFiles): AsyncGenerator<ExportedFile> {
  const nameOnce = uniqueNames()
  for (let after: string | undefined; ; ) {
    const lines = await pageOfInstructorSessionsForExport(deps.sql, instructor, { after, limit: SESSIONS_PER_QUERY })
    for (const line of lines) {
      const [row] = await foldersWithIds(deps.sql, [line.folder])
      if (!row) continue
      const view = await folderPresenter(deps, [row], 'instructor')
      const [folder, session] = await Promise.all([view.own(row, [line]), view.session(row, line)])
      const path = `Reviews/${nameOnce(`${row.name}, ${line.assigned.slice(0, 10)}`)}`
      yield* sessionFiles(deps, folder, session, path, 'instructor', fonts)
    }
    if (lines.length < SESSIONS_PER_QUERY) return
    after = lines.at(-1)!.position
  }
}

/** A session as data; if it has feedback, also a PDF and the voice-overs. */
async function* sessionFiles(
  deps: AppDependencies,
  folder: OwnFolderSummary,
  session: Session,
  path: string,
  viewer: 'player' | 'instructor',
  fonts: PdfFontFiles,
): AsyncGenerator<ExportedFile> {
  yield { name: `${path}/session.json`, input: asJson(session) }
  const { review } = session
  if (!review) return
  yield { name: `${path}/Feedback.pdf`, input: await renderFeedback(deps, folder, { ...session, review }, fonts) }
  for (const [i, voice] of (review.voices ?? []).entries()) {
    const sound = await voiceOver(deps, session.id, voice, viewer)
    if (sound) yield { name: `${path}/Voice-overs/${i + 1}.${VOICE_FILE_EXTENSIONS[sound.type]}`, input: sound.bytes }
  }
}

/**
 * A delivered voice-over, converted to AAC without the recording program's metadata. Until it has been converted, its instructor gets the
 * recording itself; a player gets that only if it cannot be converted. Null if it was deleted in the meantime.
 * @throws Error if the viewer is a player and the voice-over has not been converted yet
 */
async function voiceOver({ sql, objects }: AppDependencies, assignment: string, { id, type }: Voice, viewer: 'player' | 'instructor') {
  const converted = await objects.stream(convertedVoiceKey(assignment, id))
  if (converted) return { bytes: converted, type: 'audio/mp4' as const }
  const key = deliveredVoiceKey(assignment, id)
  if (viewer === 'player' && (await objects.head(key))) {
    const work = (await mediaJobQueue(sql).of([id], 'voice')).get(id)
    // The browser chooses the id, so another recording may have the same one. If the job is for the other, nothing converts this one.
    const willBeConverted = !work || work.key === key
    if (willBeConverted && work?.state !== 'refused') throw new Error('a voice-over is still being prepared, so the export is made later')
  }
  const bytes = await objects.stream(key)
  return bytes && { bytes, type }
}

/** Renders the feedback as a PDF with the same pictures as in the download of a session. */
async function renderFeedback(
  deps: AppDependencies,
  folder: OwnFolderSummary,
  session: ReviewedSession,
  fonts: PdfFontFiles,
): Promise<Uint8Array> {
  const { review } = session
  const clips = await loadPreparedClipsWithFrameTables(deps, folder.id, session)
  const timesOf = (video: string) => clips.get(video)?.times ?? null
  const stills: RequestedStill[] = []
  /** The consumer of each picture, in the order of the stills. */
  const takers: ((picture: ArrayBuffer) => void)[] = []
  const want = (still: RequestedStill, take: (picture: ArrayBuffer) => void) => {
    if (!clips.has(still.video)) return
    stills.push(still)
    takers.push(take)
  }

  const pictures = new Map<string, ArrayBuffer>()
  for (const { id, video, frame, at, shapes = [] } of review.notes)
    want({ video, frame: frame ?? timesOf(video)?.noted(at) ?? 0, shapes }, picture => pictures.set(id, picture))

  const techniques = session.clips.flatMap(clip => {
    const swings = printedTechniqueOf(review.checkpoints ?? [], clip, timesOf(clip.id))
    for (const step of swings.flatMap(swing => swing.steps))
      want({ video: clip.id, frame: step.frame, shapes: [] }, picture => {
        step.picture = picture
      })
    return swings
  })

  const named = labeledClipsOfReview(folder.id, session)
  const compared = (review.comparisons ?? []).map(comparison => {
    const pair = labeledClipsOfComparison(comparison, named)
    const times = comparison.sides.map(({ video }) => timesOf(video))
    const moments: PrintedComparison['moments'] = pair
      ? framePairsToPrint(comparison, pair, times).map(frames => pair.map(({ label: of }, which) => ({ of, frame: frames[which]! })))
      : []
    for (const moment of moments)
      for (const [which, { video, mirrored, shapes = [] }] of comparison.sides.entries()) {
        const side = moment[which]!
        want({ video, frame: side.frame, shapes, mirrored }, picture => {
          side.picture = picture
        })
      }
    return { title: comparisonTitle(comparison, pair), moments }
  })

  for (const [i, picture] of (await renderPrintedStills(deps, clips, stills)).entries()) if (picture) takers[i]!(picture)
  return renderFeedbackPdf({ folder, session, stills: pictures, techniques, compared, fonts })
}

const readMe = (now: Date) => `All the data that ${site.name} holds about you, as of ${utcDayOf(now)}

Profile    your account and profile, with your picture
Folders    your folders: original videos, and each session as data (session.json), as a printable PDF (Feedback.pdf) and with its voice-overs
Reviews    for instructors: the sessions that were assigned to you, with what you wrote
Model clips
           for instructors: your library, with the original files
Payments   receipts, packages, credits and cards; amounts are in cents
Support    what you asked us, and our answers
Emails     which emails we sent you, and when
Logins     where you are logged in

Files that end in .json open in any text editor.
`
