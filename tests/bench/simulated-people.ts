import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { Sql } from 'postgres'
import { buildDemoReview } from '../../src/demo/build-demo-review.ts'
import { firstDemoSession } from '../../src/demo/demo-sessions.ts'
import { newInstructorInput, newPlayerInput } from '../api/test-server.ts'
import { getPageOrPostForm } from '../stripe/test-sandbox.ts'
import type { AppProcess } from '../support/app-process.ts'
import { approveInstructor } from '../support/approve-instructor.ts'
import { testCardDetails } from '../support/test-card-details.ts'
import type { SimulatedVisitor } from './simulated-visitors.ts'

/** The clip that all players upload: 3.5 s of 640 × 360 at 30 frames/s, drawn for the demo. */
const CLIP = new URL('../../src/demo/clips/swing-early-shoulder.mp4', import.meta.url)

export interface SimulatedPlayer {
  visitor: SimulatedVisitor
  /** The folder that is reviewed again and again, and its video. */
  folder: string
  video: string
}
export interface SimulatedInstructor {
  visitor: SimulatedVisitor
  id: string
}

/** Uploads the clip into a new folder, as a browser does. */
export async function uploadClip({ call }: SimulatedVisitor) {
  const [folder, video, bytes] = [randomUUID(), randomUUID(), await readFile(CLIP)]
  await call('POST /api/folders', { body: { id: folder, name: 'Evening' } })
  const declared = { id: video, folder, name: 'swing.mp4', type: 'video/mp4', bytes: bytes.length, fingerprint: 'evening' }
  await call('POST /api/uploads', { body: declared })
  const params = { upload: video }
  const { parts } = await call<{ parts: { url: string }[] }>('POST /api/uploads/{upload}/sign', { params, body: { numbers: [1] } })
  const { ok, status } = await fetch(parts[0]!.url, { method: 'PUT', body: bytes, headers: { 'content-type': 'video/mp4' } })
  if (!ok) throw new Error(`The object store answered an upload with ${status}`)
  const measures = { milliseconds: 3500, width: 640, height: 360, poster: false }
  await call('POST /api/uploads/{upload}/complete', { params, body: measures })
  return { folder, video }
}

/** Registers a player with a card and a folder with one clip. */
export async function registerPlayerWithClip(visitor: SimulatedVisitor): Promise<SimulatedPlayer> {
  await visitor.call('POST /api/register/player', { body: newPlayerInput() })
  const { url } = await visitor.call<{ url: string }>('POST /api/cards/setup', { body: { back: '/player/payment' } })
  const { to } = await getPageOrPostForm(url, testCardDetails('4242424242424242'))
  await visitor.call('POST /api/cards/confirm', { body: { session: new URL(to).searchParams.get('setup') } })
  return { visitor, ...(await uploadClip(visitor)) }
}

/** Registers the first administrator with the link that the server has printed. */
export async function registerAdmin(app: AppProcess, visitor: SimulatedVisitor): Promise<SimulatedVisitor> {
  const [, token] = /\/admin\/register\?token=([\w-]+)/.exec(app.output()) ?? []
  const { dateOfBirth: _, ...person } = newPlayerInput() as ReturnType<typeof newPlayerInput> & { dateOfBirth?: string }
  await visitor.call('POST /api/register/admin', { body: { ...person, token } })
  return visitor
}

/** Registers an instructor with a payout account, whom the administrator approves. */
export async function registerInstructor(sql: Sql, admin: SimulatedVisitor, visitor: SimulatedVisitor): Promise<SimulatedInstructor> {
  const { id } = await visitor.call<{ id: string }>('POST /api/register/instructor', { body: newInstructorInput() })
  const callOf = (who: SimulatedVisitor) => (method: 'POST', path: string) => who.call(`${method} ${path}`)
  await approveInstructor({ sql, anyone: callOf(visitor), admin: callOf(admin) }, id)
  visitor.position = admin.position
  const { url } = await visitor.call<{ url: string }>('POST /api/payouts/account')
  const { to } = await getPageOrPostForm(url)
  const details = { first: 'A', last: 'B', birth: '1990-01-01', ssn: '0000', routing: '110000000', account: '000123456789' }
  await getPageOrPostForm(new URL(to, url).href, details)
  await visitor.call('POST /api/payouts/refresh')
  return { visitor, id }
}

/** Builds the review of the demo's first session: five notes with drawings, technique positions, a goal, a grade and a summary. */
const reviewOf = ({ folder, video }: SimulatedPlayer) =>
  buildDemoReview(firstDemoSession, (what: string | number) => (what === 'folder' ? folder : what === 'video' ? video : randomUUID()))
    .review

/** Plays one session from the quote to the payment, without the pauses that people make. */
export async function simulateSession(player: SimulatedPlayer, instructor: SimulatedInstructor): Promise<void> {
  const session = randomUUID()
  const of = { params: { folder: player.folder }, query: `session=${session}` }
  const { call } = player.visitor
  const seen = await call<{ total: number; atMost: number }>('GET /api/folders/{folder}/quote', { params: of.params })
  await call('POST /api/folders/{folder}/assign', {
    params: of.params,
    body: {
      assignment: session,
      instructor: instructor.id,
      message: 'My hands, please.',
      seen: { total: seen.total, atMost: seen.atMost },
    },
  })

  const coach = instructor.visitor
  if (player.visitor.position > coach.position) coach.position = player.visitor.position
  await coach.view('/instructor/dashboard')
  await coach.call('POST /api/folders/{folder}/review', of)
  await coach.view('/instructor/folder/{folder}', of.params)
  const review = reviewOf(player)
  let { revision } = await coach.call<{ revision: number }>('GET /api/folders/{folder}/draft', of)
  for (const notes of [review.notes.slice(0, 2), review.notes]) {
    const saved = { revision, draft: { ...review, notes } }
    ;({ revision } = await coach.call<{ revision: number }>('PUT /api/folders/{folder}/draft', { ...of, body: saved }))
  }
  // Feedback is accepted only once the clip has been prepared.
  await coach.callUntil<{ session: { clips: { rendition?: { state: string } }[] } }>(
    'GET /api/folders/{folder}',
    shown => shown.session.clips.every(clip => clip.rendition?.state === 'ready'),
    of,
  )
  await coach.call('POST /api/folders/{folder}/feedback', { ...of, body: review })

  if (coach.position > player.visitor.position) player.visitor.position = coach.position
  await player.visitor.view('/player/folder/{folder}', of.params)
  const payment = { params: { payment: session } }
  const { total } = await player.visitor.callUntil<{ total: number; status: string }>(
    'GET /api/payments/{payment}',
    bill => bill.status === 'due',
    payment,
  )
  await call('POST /api/payments/{payment}/pay', { ...payment, body: { tip: 0, total } })
  await player.visitor.callUntil<{ status: string }>('GET /api/folders/{folder}', shown => shown.status === 'paid', { params: of.params })
}

/** Calls `act` with each number below `count`, `atOnce` at a time. @returns the results, in the order of the numbers */
export async function runConcurrently<T>(count: number, atOnce: number, act: (n: number) => Promise<T>): Promise<T[]> {
  const results: T[] = []
  let next = 0
  const lane = async () => {
    while (next < count) {
      const n = next++
      results[n] = await act(n)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, lane))
  return results
}
