import { afterEach, expect, test, vi } from 'vitest'
import {
  forgetInstructorToConnect,
  readInstructorToConnect,
  storeInstructorToConnect,
} from '../../src/instructors/stored-instructor-to-connect.ts'

const storageOf = (stored: Map<string, string>) => ({
  getItem: (key: string) => stored.get(key) ?? null,
  setItem: (key: string, value: string) => void stored.set(key, value),
  removeItem: (key: string) => void stored.delete(key),
})
afterEach(() => void vi.unstubAllGlobals())

test('an instructor to connect with stays stored until it is forgotten', () => {
  vi.stubGlobal('sessionStorage', storageOf(new Map()))
  expect(readInstructorToConnect()).toBeUndefined()
  storeInstructorToConnect('ida-moss')
  expect([readInstructorToConnect(), readInstructorToConnect()]).toEqual(['ida-moss', 'ida-moss'])
  forgetInstructorToConnect()
  expect(readInstructorToConnect()).toBeUndefined()
})

test('without storage there is no instructor to connect with, and nothing fails', () => {
  storeInstructorToConnect('ida-moss')
  forgetInstructorToConnect()
  expect(readInstructorToConnect()).toBeUndefined()
})
