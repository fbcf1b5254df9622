import { expect, test } from 'vitest'
import { describePlayer } from '../../src/accounts/player-traits.ts'

const unknown = { age: null, bats: null, throws: null, level: null }

test('the description of a player has only the known traits', () => {
  expect(describePlayer(unknown)).toBe('')
  expect(describePlayer({ age: 14, bats: 'left', throws: 'right', level: 'high-school' })).toBe(
    'Age 14 · High school · Bats left, throws right',
  )
  expect(describePlayer({ ...unknown, bats: 'switch' })).toBe('Switch-hits')
  expect(describePlayer({ ...unknown, age: 30, throws: 'left' })).toBe('Age 30 · Throws left')
})
