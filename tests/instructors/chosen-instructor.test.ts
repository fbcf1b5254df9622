import { afterEach, expect, test, vi } from 'vitest'
import { chosenInstructor, forgetChosenInstructor, storeChosenInstructor } from '../../src/instructors/chosen-instructor.ts'

const storageOf = (stored: Map<string, string>) => ({
  getItem: (key: string) => stored.get(key) ?? null,
  setItem: (key: string, value: string) => void stored.set(key, value),
  removeItem: (key: string) => void stored.delete(key),
})
afterEach(() => void vi.unstubAllGlobals())

test('a chosen instructor stays stored however often it is read, until it is forgotten', () => {
  vi.stubGlobal('sessionStorage', storageOf(new Map()))
  expect(chosenInstructor()).toBeUndefined()
  storeChosenInstructor('ida-moss')
  expect([chosenInstructor(), chosenInstructor()]).toEqual(['ida-moss', 'ida-moss'])
  forgetChosenInstructor()
  expect(chosenInstructor()).toBeUndefined()
})

test('without storage no instructor is chosen, and nothing fails', () => {
  storeChosenInstructor('ida-moss')
  forgetChosenInstructor()
  expect(chosenInstructor()).toBeUndefined()
})
