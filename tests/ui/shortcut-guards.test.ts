import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { isDialogOpen, isTextEntry } from '../../src/ui/shortcut-guards.ts'

class FakeElement {
  isContentEditable = false
  constructor(fields: object) {
    Object.assign(this, fields)
  }
}
beforeEach(() => vi.stubGlobal('HTMLElement', FakeElement))
afterEach(() => vi.unstubAllGlobals())

const isTyping = (fields: object) => isTextEntry(new FakeElement(fields) as unknown as EventTarget)

test.each([
  { tagName: 'INPUT', type: 'text' },
  { tagName: 'INPUT', type: 'search' },
  { tagName: 'TEXTAREA' },
  { tagName: 'SELECT' },
  { tagName: 'DIV', isContentEditable: true },
])('keys type into $tagName $type', element => expect(isTyping(element)).toBe(true))

test.each([
  { tagName: 'INPUT', type: 'range' },
  { tagName: 'INPUT', type: 'radio' },
  { tagName: 'INPUT', type: 'checkbox' },
  { tagName: 'BUTTON' },
  { tagName: 'BODY' },
])('keys are shortcuts on $tagName $type', element => expect(isTyping(element)).toBe(false))

test('keys are shortcuts if no element has the focus', () => expect(isTextEntry(null)).toBe(false))

test('a dialog is open while it is a child of the body', () => {
  const children = [{ matches: () => false }]
  vi.stubGlobal('document', { body: { children } })
  expect(isDialogOpen()).toBe(false)
  children.push({ matches: () => true })
  expect(isDialogOpen()).toBe(true)
})
