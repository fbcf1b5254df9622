import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { RecordedEvent } from '../../modules/kernel/store.ts'
import { processes } from '../../src/server/module-registry.ts'

const samples = join(import.meta.dirname, '../events')
/** The sample events of all types. */
const events = readdirSync(samples)
  .filter(file => file.endsWith('.json'))
  .toSorted()
  .flatMap(file => JSON.parse(readFileSync(join(samples, file), 'utf8')) as RecordedEvent[])
  .map(e => ({ ...e, revision: BigInt(e.revision), position: 0n, meta: { ...e.meta } }))

type ErrandKindsByEvent = Record<string, string[]>

/**
 * For each version of each process, the kinds of errands that it creates for the sample events, by event type. Never change an entry: if
 * this test fails, raise the `version` of the process and add an entry.
 */
const recorded: Record<string, Record<string, ErrandKindsByEvent>> = JSON.parse(
  readFileSync(join(import.meta.dirname, 'process-versions.json'), 'utf8'),
)

test.each(processes.map(p => [p.name, p] as const))('the process "%s" has a new version if it handles events differently', (name, p) => {
  const kindsByEvent: ErrandKindsByEvent = {}
  for (const type of Object.keys(p.on).toSorted()) {
    const errands = events.filter(e => e.type === type).flatMap(e => [p.on[type]!(e as never) ?? []].flat())
    kindsByEvent[type] = [...new Set(errands.map(errand => errand.kind))].toSorted()
  }
  expect(kindsByEvent).toEqual(recorded[name]?.[p.version ?? 1])
})
