import { expect, it } from 'vitest'
import { searchQueue, sortQueue } from '../../../src/islands/queue/sort-and-search-queue.ts'

const of = (player: string, name: string, message: string | null = null) => ({
  player: { id: player, name: player, picture: null, slug: null },
  name,
  message,
})
const queue = [of('Mia Torres', 'Tee work'), of('Abe Lincoln', 'Bullpen', 'My hands, please.'), of('Mia Torres', 'Double plays')]
const names = (sessions: typeof queue) => sessions.map(s => s.name)

it('the queue is sorted by age, or by player with the oldest session first', () => {
  expect(names(sortQueue(queue, 'oldest'))).toEqual(['Tee work', 'Bullpen', 'Double plays'])
  expect(names(sortQueue(queue, 'newest'))).toEqual(['Double plays', 'Bullpen', 'Tee work'])
  expect(names(sortQueue(queue, 'player'))).toEqual(['Bullpen', 'Tee work', 'Double plays'])
})
it('a search finds items with all of its words in player, folder or message', () => {
  expect(names(searchQueue(queue, ' mia  PLAYS '))).toEqual(['Double plays'])
  expect(names(searchQueue(queue, 'hands'))).toEqual(['Bullpen'])
  expect(names(searchQueue(queue, ''))).toHaveLength(3)
  expect(names(searchQueue(queue, 'zzz'))).toEqual([])
})
