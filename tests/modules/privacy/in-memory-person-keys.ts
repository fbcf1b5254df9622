import { randomBytes } from 'node:crypto'
import type { PersonKey, PersonKeys } from '../../../modules/privacy/person-keys.ts'

/** Person keys in memory, which a test can inspect and destroy. */
export function inMemoryPersonKeys(known = new Map<string, PersonKey>()): PersonKeys & { known: Map<string, PersonKey> } {
  return {
    known,
    cached: person => known.get(person),
    load: async people => new Map(people.flatMap(person => (known.has(person) ? [[person, known.get(person)!]] : []))),
    async findOrCreateKey(person) {
      if (!known.has(person)) known.set(person, randomBytes(32))
      return known.get(person)!
    },
  }
}
