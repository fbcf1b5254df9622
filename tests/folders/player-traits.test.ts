import { expect, test } from 'vitest'
import { describePlayer } from '../../src/accounts/player-traits.ts'

const unknown = { age: null, bats: null, throws: null, level: null }

test("a player's description has only the traits that are known", () => {
  expect(describePlayer(unknown)).toBe('')
  expect(describePlayer({ age: 14, bats: 'left', throws: 'right', level: 'high-school' })).toBe(
    'Age 14 · High school · Bats left, throws right',
  )
  expect(describePlayer({ ...unknown, bats: 'switch' })).toBe('Bats both ways')
  expect(describePlayer({ ...unknown, age: 30, throws: 'left' })).toBe('Age 30 · Throws left')
})
