import { hasAdmin } from '../../modules/accounts/account-registration-and-authentication.ts'
import type { DoctorCheckResult } from '../../modules/doctor-check-result.ts'
import { tableOf } from '../../modules/kernel/projection.ts'
import { payments } from '../../projections/payments.ts'
import { vettings } from '../../projections/vetting.ts'
import type { Config } from '../config.ts'
import { isLoopbackHost } from '../loopback-hosts.ts'
import { createPostgresPool } from './postgres-pool.ts'

const TIMEOUT_MS = 10_000

const isLoopback = (origin: string) => isLoopbackHost(new URL(origin).hostname)

/** Checks the settings of a server that people reach through a proxy. A server on loopback needs none of them. */
export function publicServerDoctorChecks(
  config: Pick<Config, 'origin' | 'host' | 'proxies' | 'demo' | 'metricsPort'>,
): DoctorCheckResult[] {
  const { origin, host, proxies, demo, metricsPort } = config
  const https = {
    check: 'people reach it by https',
    isTrue: origin.startsWith('https:') || isLoopback(origin),
    advice: `ORIGIN is ${origin}. Set it to the https address of the proxy in front; HOST is ${host}.`,
  }
  if (isLoopback(origin)) return [https]
  return [
    https,
    { check: 'the demo is off', isTrue: !demo, advice: 'Set DEMO=off.' },
    {
      check: 'TRUST_PROXY names the proxy in front',
      isTrue: proxies.some(proxy => proxy !== 'loopback'),
      isNote: true,
      advice: 'Set it to the address of the proxy, unless the proxy is on this machine. Otherwise all visitors share one rate limit.',
    },
    {
      check: 'METRICS_PORT is set',
      isTrue: metricsPort !== undefined,
      isNote: true,
      advice: 'Without it there are no alerts (docs/metrics.md).',
    },
  ]
}

/**
 * Checks, without changing anything, whether the server responds at its public URL and whether the first people have done their steps in
 * `docs/launch.md`. Until a server of this release has used the database, a missing response is only a note, and people are not checked.
 * @throws if the database does not respond
 */
export async function checkRunningServerAndFirstUsers({
  origin,
  databaseUrl,
}: Pick<Config, 'origin' | 'databaseUrl'>): Promise<DoctorCheckResult[]> {
  const people = databaseUrl ? await checkFirstPeople(databaseUrl) : null
  return [...(await checkAnswers(origin, { hasStarted: people !== null })), ...(people ?? [])]
}

async function checkAnswers(origin: string, { hasStarted }: { hasStarted: boolean }): Promise<DoctorCheckResult[]> {
  const check = `a server answers at ${origin}`
  const health = await ask(`${origin}/api/health`)
  if (health.body?.status !== 'ok') {
    const advice = `/api/health: ${health.problem}. Check DNS, certificate, proxy and ORIGIN.`
    if (hasStarted) return [{ check, isTrue: false, advice }]
    return [{ check, isTrue: false, isNote: true, advice: `${advice} Before the first start (step 6), only the proxy can answer.` }]
  }
  const { body, problem } = await ask(`${origin}/api/ready`)
  const down = Object.entries(body?.dependencies ?? {}).flatMap(([name, { state }]) => (state === 'up' ? [] : [name]))
  const reasons = [...(down.length ? [`down: ${down.join(', ')}`] : []), ...(body?.message ? [body.message] : [])]
  const parked = body?.parked ?? []
  return [
    { check, isTrue: true, advice: '' },
    { check: 'it is ready', isTrue: body?.ready === true, advice: `/api/ready: ${reasons.join('; ') || problem}.` },
    {
      check: 'its readers have processed every event',
      isTrue: parked.length === 0,
      advice: `Parked: ${parked.map(({ reader, streams }) => `${streams} in ${reader}`).join(', ')}. The administrators' dashboard shows which and why.`,
    },
  ]
}

interface HealthReply {
  status?: string
  ready?: boolean
  dependencies?: Record<string, { state: string }>
  parked?: { reader: string; streams: number }[]
  message?: string
}
/** @returns `body`: the response, if it is JSON; `problem`: describes the response or error, for use if `body` is not as expected */
async function ask(url: string): Promise<{ body?: HealthReply; problem: string }> {
  try {
    const reply = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT_MS) })
    const isJson = reply.headers.get('content-type')?.includes('json')
    const problem = `the answer was ${reply.status}${reply.headers.has('location') ? ` to ${reply.headers.get('location')}` : ''}`
    return { problem, ...(isJson && { body: (await reply.json()) as HealthReply }) }
  } catch (error) {
    const { cause, message } = error as Error
    return { problem: (cause as Error | undefined)?.message || message }
  }
}

/** @returns null if no server of this release has used the database */
async function checkFirstPeople(databaseUrl: string): Promise<DoctorCheckResult[] | null> {
  const sql = createPostgresPool(databaseUrl, { max: 1, connect_timeout: 10, prepare: false })
  try {
    const tables = ['users', tableOf(vettings), tableOf(payments)]
    const found = await sql`select 1 from unnest(${tables}::text[]) as name where to_regclass(name) is not null`
    if (found.length < tables.length) return null
    const [row] = await sql<{ approved: boolean; paid: boolean }[]>`
      select exists (select 1 from ${sql(tableOf(vettings))} where status = 'approved') as approved,
        exists (select 1 from ${sql(tableOf(payments))} where paid is not null) as paid`
    return [
      {
        check: 'there is an administrator',
        isTrue: await hasAdmin(sql),
        advice: 'A server prints the link for the first one when it starts (step 6).',
      },
      { check: 'an instructor is approved', isTrue: row!.approved, advice: "Approve one on the administrators' page (steps 7 and 8)." },
      { check: 'a review has been paid', isTrue: row!.paid, isNote: true, advice: 'Pay one yourself (steps 7 and 8).' },
    ]
  } finally {
    await sql.end({ timeout: 1 })
  }
}
