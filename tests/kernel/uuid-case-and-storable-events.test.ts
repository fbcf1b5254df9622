import { describe, expect, test } from 'vitest'
import {
  assertEventsStorable,
  CommandRefused,
  idOfStream,
  lowercaseIdsInJson,
  type RecordedEvent,
  RevisionConflict,
  readStreamInEitherCase,
} from '../../modules/kernel/store.ts'
import { newTestEvent } from './test-events.ts'

const id = '018f0a2b-9c3d-7e4f-8a5b-6c7d8e9fa0b1'
const capitalId = id.toUpperCase()
/** Strings that resemble an id in capitals, but are not one. */
const almostIds = [
  `x${capitalId}`,
  `${capitalId}X`,
  capitalId.slice(1),
  capitalId.slice(0, -1),
  capitalId.replaceAll('-', ''),
  capitalId.replace('9C3D-', ''),
  `{${capitalId}}`,
  `0${capitalId}`,
]
const mixed = `${id.slice(0, 18)}${capitalId.slice(18)}`

test.each([
  [`folder-${id}`, id],
  [`folder-${capitalId}`, id],
  ['perks-ANA', 'ANA'],
  ['a-b-C', 'b-C'],
  ...[...almostIds, mixed, 'A-1-1-1-1', `${'A'.repeat(8)}-A-A-A-${'A'.repeat(12)}`].map(each => [`folder-${each}`, each]),
])('the stream %s has the id %s', (stream, spelling) => expect(idOfStream(stream!)).toBe(spelling))

describe('reading a stream', () => {
  const log = (names: string[]) => {
    const requested: string[] = []
    const read = async (stream: string) => {
      requested.push(stream)
      return names.includes(stream) ? ([{ stream }] as RecordedEvent[]) : []
    }
    return { requested, of: async (stream: string) => (await readStreamInEitherCase(stream, read)).map(e => e.stream) }
  }
  test('tries its exact name first, and only then the other spelling of its id', async () => {
    for (const [name, other] of [
      [`folder-${id}`, `folder-${capitalId}`],
      [`folder-${capitalId}`, `folder-${id}`],
    ] as const) {
      const both = log([name, other])
      expect([await both.of(name), both.requested]).toEqual([[name], [name]])
      const one = log([other])
      expect([await one.of(name), one.requested]).toEqual([[other], [name, other]])
      const none = log([])
      expect([await none.of(name), none.requested]).toEqual([[], [name, other]])
    }
  })
  test.each(['ANA', 'ana', '1', mixed, '01800000-0000-7000-8000-000000000000', ...almostIds])(
    'reads only the exact name if the id is %s',
    async spelling => {
      const { requested, of } = log([])
      expect(await of(`folder-${spelling}`)).toEqual([])
      expect(requested).toEqual([`folder-${spelling}`])
    },
  )
})

test('ids in capitals become lowercase only as a whole JSON string or a whole key', () => {
  const data = (spelling: string) =>
    JSON.stringify({
      video: spelling,
      [spelling]: [spelling, { by: spelling }],
      text: `see ${capitalId} "${capitalId}"`,
      almostIds,
      mixed,
      n: 1,
    })
  expect(lowercaseIdsInJson(data(capitalId))).toBe(data(id))
  expect(lowercaseIdsInJson(data(id))).toBe(data(id))
})

describe('the check before an append', () => {
  test('refuses a UUID in another spelling for a new stream, but not for an existing one', () => {
    for (const other of [capitalId, mixed, `{${id}}`, id.replaceAll('-', ''), `${id.replaceAll('-', '')}-`]) {
      expect(() => assertEventsStorable(`folder-${other}`, -1n, [newTestEvent()])).toThrow(
        `folder-${other}: the id must be a UUID in lower case.`,
      )
      assertEventsStorable(`folder-${other}`, 0n, [newTestEvent()])
      assertEventsStorable(`folder-${other}`, 7n, [newTestEvent()])
    }
    for (const other of [id, 'ANA', '1', `${id}0`, `0${capitalId}`, 'x'.repeat(32)])
      assertEventsStorable(`folder-${other}`, -1n, [newTestEvent()])
  })
  test('refuses text that cannot be stored, with a message for the user', () => {
    const refused = new CommandRefused('The text contains a character that cannot be saved. Remove it and try again.', 'unstorable')
    expect(() => assertEventsStorable('folder-1', 0n, [newTestEvent('a\0')])).toThrow(refused)
    expect(() => assertEventsStorable('folder-\0', 0n, [newTestEvent()])).toThrow(refused)
    try {
      assertEventsStorable('folder-1', 0n, [newTestEvent('\ud83e')])
      expect.unreachable()
    } catch (error) {
      expect((error as CommandRefused).code).toBe('unstorable')
    }
    assertEventsStorable('folder-1', 0n, [newTestEvent('\\u0000 as somebody types it, and \u{1f94e}')])
  })
})

test('a refusal has a code, and a conflict has the actual revision', () => {
  const { code, field } = new CommandRefused('No.')
  expect([code, field]).toEqual(['refused', undefined])
  expect(new CommandRefused('No.', 'not-open', 'kind')).toMatchObject({ message: 'No.', code: 'not-open', field: 'kind' })
  expect(new RevisionConflict('folder-1', 3n, 4n).message).toBe('folder-1 is at revision 4, not 3')
})
