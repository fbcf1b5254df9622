import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createAuditExportFormatter, type ExportedEvent } from '../../../modules/audit/format-export.ts'
import { canonicalJson, chainLinkOf, GENESIS_HASH } from '../../../modules/audit/hash-chain.ts'
import { verifyAuditExport } from '../../../modules/audit/verify-export.ts'
import type { RecordedEvent } from '../../../modules/kernel/store.ts'
import { encryptTexts, rememberEncryptedTexts } from '../../../modules/privacy/encrypt-event-texts.ts'
import { DELETED_TEXT } from '../../../modules/privacy/policy.ts'

const actor = '0198c0de-0000-7000-8000-000000000001'
const idAt = (n: number) => `0198c0de-0000-7000-8000-${String(n).padStart(12, '0')}`
const AT = '2026-05-01T10:00:00.000Z'

/** Returns a log as readers receive it: every other event has a text that the store encrypts. */
const recorded = (texts: readonly string[]): RecordedEvent[] =>
  texts.map((text, i) => {
    const e = {
      id: idAt(i),
      stream: `folder-${actor}`,
      revision: BigInt(i),
      position: BigInt(i),
      type: 'FolderNamed',
      at: AT,
      data: { name: text, order: i },
      meta: { command: `c${i}`, name: 'folder.name', actor, ...(i % 3 === 0 ? { asked: `a${i}` } : { cause: idAt(0) }) },
    }
    if (i % 2 || !text) return e
    const stored = encryptTexts(e, ['name'], actor, randomBytes(32)) as unknown as { data: { encrypted: never } }
    return rememberEncryptedTexts(e, stored.data.encrypted)
  })

/** The entries of an export of the whole log, newest first. */
function exported(events: readonly RecordedEvent[]): ExportedEvent[] {
  let previous = GENESIS_HASH
  const entries = events.map(e => {
    const { position, event: _, ...proof } = chainLinkOf(previous, e)
    const chain = { ...proof, previous }
    previous = proof.hash
    return {
      position,
      stream: e.stream,
      revision: `${e.revision}`,
      id: e.id,
      type: e.type,
      at: e.at,
      command: e.meta.name,
      commandId: e.meta.command,
      actor,
      who: { name: 'Ana García', role: 'player' },
      about: null,
      cause: e.meta.cause ?? null,
      folder: null,
      data: e.data,
      chain,
    }
  })
  return entries.reverse()
}

function fileOf(entries: readonly ExportedEvent[], filter: Record<string, string> = {}): string[] {
  const lines = createAuditExportFormatter()
  const [newest] = entries
  const head = newest ? { position: newest.position, hash: newest.chain!.hash, at: AT } : null
  return [lines.of(entries), lines.end(filter, head)].join('').trimEnd().split('\n')
}

const logs = fc.array(fc.string({ unit: 'grapheme', maxLength: 12 }), { minLength: 3, maxLength: 9 }).map(recorded)
const place = fc.nat()

test('an unchanged export is valid, both complete and filtered', async () => {
  await fc.assert(
    fc.asyncProperty(logs, async events => {
      const entries = exported(events)
      const newest = `${entries[0]!.position}:${entries[0]!.chain!.hash}`
      expect(await verifyAuditExport(fileOf(entries), [newest])).toEqual({
        events: events.length,
        isWhole: true,
        deleted: 0,
        newest,
        faults: [],
      })
      const chosen = entries.filter((_, i) => i % 2 === 0)
      expect(await verifyAuditExport(fileOf(chosen, { type: 'FolderNamed' }))).toMatchObject({ isWhole: false, faults: [] })
    }),
    { numRuns: 30 },
  )
})

test('a changed character, a removed line and swapped lines are each detected', async () => {
  await fc.assert(
    fc.asyncProperty(logs, place, place, fc.constantFrom('change', 'remove', 'swap', 'repeat', 'cut'), async (events, at, by, how) => {
      const lines = fileOf(exported(events))
      const [i, j] = [at % lines.length, (at + 1 + (by % (lines.length - 1))) % lines.length]
      const line = lines[i]!
      const c = by % line.length
      if (how === 'change') lines[i] = line.slice(0, c) + (line[c] === '1' ? '2' : '1') + line.slice(c + 1)
      if (how === 'remove') lines.splice(i, 1)
      if (how === 'swap') [lines[i], lines[j]] = [lines[j]!, line]
      if (how === 'repeat') lines.splice(i, 0, line)
      if (how === 'cut') lines.length = i
      expect((await verifyAuditExport(lines)).faults).not.toEqual([])
    }),
    { numRuns: 500 },
  )
})

/** Changes that a forger makes before recomputing the checksum of the file. */
const FORGERIES: Record<string, (entries: ExportedEvent[], i: number) => unknown> = {
  'removes an event': (entries, i) => entries.splice(i, 1),
  'swaps events': (entries, i) => entries.splice(i, 2, entries[(i + 1) % entries.length]!, entries[i]!),
  'changes the time of an event': (entries, i) => Object.assign(entries[i]!, { at: '2026-05-01T10:00:00.001Z' }),
  'changes the actor of an event': (entries, i) => Object.assign(entries[i]!, { actor: idAt(99) }),
  'changes the command of an event': (entries, i) => Object.assign(entries[i]!, { commandId: 'c99' }),
  'changes a value that is not a text': (entries, i) => Object.assign(entries[i]!.data as object, { order: 99 }),
  'empties an event': (entries, i) => Object.assign(entries[i]!, { data: {} }),
  'takes an event out of the chain': (entries, i) => Object.assign(entries[i]!, { chain: null }),
  'changes the hash of the request': (entries, i) => Object.assign(entries[i]!.chain!, { asked: 'a99' }),
}
test.each(Object.keys(FORGERIES))('a forger who recomputes the checksum and %s is detected', async how => {
  await fc.assert(
    fc.asyncProperty(logs, place, async (events, at) => {
      const entries = exported(events)
      const end = JSON.parse(fileOf(entries).at(-1)!).end
      FORGERIES[how]!(entries, at % (entries.length - 1))
      const lines = createAuditExportFormatter()
      const file = [lines.of(entries), lines.end({}, end.head)].join('').trimEnd().split('\n')
      expect((await verifyAuditExport(file)).faults).not.toEqual([])
    }),
    { numRuns: 50 },
  )
})

describe('the report on an export of three events', () => {
  /** Changes the entries before they are exported, so that the checksum is right. @returns the faults that are found */
  const faultsAfter = async (change: (entries: ExportedEvent[]) => unknown) => {
    const entries = exported(recorded(['a', 'b', 'c']))
    const { head } = JSON.parse(fileOf(entries).at(-1)!).end
    change(entries)
    const lines = createAuditExportFormatter()
    return (await verifyAuditExport([lines.of(entries), lines.end({}, head)].join('').trimEnd().split('\n'))).faults
  }
  const replaceData = (data: unknown) => (entries: ExportedEvent[]) => Object.assign(entries[1]!, { data })

  test.each<[string, (entries: ExportedEvent[]) => unknown, string[]]>([
    ['is empty without a change', () => {}, []],
    ['names an event without text', replaceData(''), ['The data of event 1 (FolderNamed) was changed.']],
    ['names an event without data', replaceData(null), ['The data of event 1 (FolderNamed) was changed.']],
    ['names changed data', replaceData({ order: 9 }), ['The data of event 1 (FolderNamed) was changed.']],
    [
      'names a changed time',
      entries => Object.assign(entries[1]!, { at: '2026-05-01T10:00:00.001Z' }),
      ['The person, time or command was changed: event 1 (FolderNamed).'],
    ],
    [
      'names an event that was not in the chain yet',
      entries => Object.assign(entries[1]!, { chain: null }),
      [
        'Not in the chain yet: event 1 (FolderNamed). Export the log again a little later.',
        'Events are missing between event 2 and event 0.',
      ],
    ],
    [
      'names a repeated event',
      entries => entries.splice(1, 0, entries[0]!),
      [
        'The order was changed: event 2 (FolderNamed) comes after event 2 (FolderNamed).',
        'Events are missing between event 2 and event 2.',
      ],
    ],
    ['says where events are missing', entries => entries.splice(1, 1), ['Events are missing between event 2 and event 0.']],
    ['says that the first events are missing', entries => entries.pop(), ['The first events of the log are missing.']],
    ['says that the newest events are missing', entries => entries.shift(), ['The newest events of the log are missing.']],
  ])('%s', async (_, change, faults) => {
    expect(await faultsAfter(change)).toEqual(faults)
  })

  test('says which line cannot be read', async () => {
    const lines = fileOf(exported(recorded(['a', 'b', 'c'])))
    lines[1] = '{'
    expect((await verifyAuditExport(lines)).faults).toEqual(['Line 2 cannot be read.', 'The end of the file is missing.'])
  })

  test('says that lines come after the last one', async () => {
    const lines = fileOf(exported(recorded(['a', 'b', 'c'])))
    expect((await verifyAuditExport([...lines, lines[0]!, lines[1]!])).faults).toEqual(['There are lines after the last one.'])
  })

  test('says that the checksum or the number of events differs', async () => {
    const differs = ['The file was changed after the export: its checksum differs.']
    const entries = exported(recorded(['a', 'b', 'c']))
    const lines = fileOf(entries)
    const changed = lines.with(-1, lines.at(-1)!.replace('"sha256":"', '"sha256":"0'))
    expect((await verifyAuditExport(changed)).faults).toEqual(differs)
    const { of, end } = createAuditExportFormatter()
    const written = of(entries.slice(0, 2)) + of(entries.slice(2))
    const { head } = JSON.parse(lines.at(-1)!).end
    const without = [...written.trimEnd().split('\n').slice(0, 2), end({}, head).trimEnd()]
    expect((await verifyAuditExport(without)).faults).toEqual([...differs, 'The first events of the log are missing.'])
  })
})

test('a forged log with its own valid chain does not match a hash noted earlier', async () => {
  const noted = exported(recorded(['a', 'b', 'c']))[1]!
  const { faults } = await verifyAuditExport(fileOf(exported(recorded(['A', 'b', 'c', 'd']))), [`${noted.position}:${noted.chain!.hash}`])
  expect(faults).toEqual([`There is no event 1 with the hash ${noted.chain!.hash}.`])
})

test('an event may be empty only if the deletion of its person is recorded', async () => {
  const events = recorded(['Swings', 'Bullpen'])
  const deletion: RecordedEvent = {
    id: idAt(2),
    stream: `account-${actor}`,
    revision: 0n,
    position: 2n,
    type: 'PersonForgotten',
    at: AT,
    data: { events: [idAt(0)] },
    meta: { command: 'c2', name: 'account.forget', actor: 'system' },
  }
  const entries = exported([...events, deletion])
  // The event's actor is the system, but `exported` writes the same actor for every event.
  Object.assign(entries[0]!, { actor: 'system' })
  entries[2]!.data = {}
  expect(await verifyAuditExport(fileOf(entries))).toMatchObject({ deleted: 1, faults: [] })
  entries[1]!.data = {}
  expect((await verifyAuditExport(fileOf(entries))).faults).toEqual([
    'The data of event 1 (FolderNamed) is missing, and no event says that it was deleted.',
    'If a person was deleted while the file was being exported, export the log again: the new file has the event that says so.',
  ])
})

test('texts replaced after a deletion leave an event proven, other changes do not', async () => {
  const entries = exported(recorded(['Swings', 'Bullpen']))
  Object.assign(entries[1]!.data as object, { name: DELETED_TEXT })
  expect(await verifyAuditExport(fileOf(entries))).toMatchObject({ deleted: 0, faults: [] })
  Object.assign(entries[1]!.data as object, { order: 9 })
  expect((await verifyAuditExport(fileOf(entries))).faults).toEqual(['The data of event 0 (FolderNamed) was changed.'])
})

test('equal values have the same canonical JSON', () => {
  expect(canonicalJson({ b: [1, { d: null, c: 'é"' }], a: 1e21, A: undefined })).toBe('{"a":1e+21,"b":[1,{"c":"é\\"","d":null}]}')
})
