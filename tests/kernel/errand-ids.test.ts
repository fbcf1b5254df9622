import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { derivedId } from '../../modules/kernel/decider.ts'
import { errand } from '../../modules/kernel/process.ts'

test('the id of an errand depends only on its event and kind, so it is performed once', () => {
  const [one, other] = [{ id: randomUUID() }, { id: randomUUID() }]
  const hello = errand(one, 'letter.hello', { to: 'p1' })
  expect(hello).toEqual({ id: derivedId(one.id, 'letter.hello'), kind: 'letter.hello', payload: { to: 'p1' } })
  expect(errand(one, 'letter.hello', { to: 'p2' }, { due: '2026-05-01T00:00:00.000Z' })).toEqual({
    id: hello.id,
    kind: 'letter.hello',
    payload: { to: 'p2' },
    due: '2026-05-01T00:00:00.000Z',
  })
  expect(new Set([hello, errand(other, 'letter.hello', {}), errand(one, 'letter.bye', {})].map(e => e.id)).size).toBe(3)
})

test('several errands of the same kind get different ids from their keys', () => {
  const cause = { id: randomUUID() }
  const [first, second] = ['p1', 'p2'].map(to => errand(cause, 'letter.hello', { to }, { key: ['hello', to] }))
  expect([first!.id, second!.id]).toEqual([derivedId(cause.id, 'hello', 'p1'), derivedId(cause.id, 'hello', 'p2')])
  expect(first!.kind).toBe('letter.hello')
})
