import { expect, test } from 'vitest'
import { personalTextsByPath, setPersonalTextsInPlace } from '../../../modules/privacy/get-and-set-texts-by-path.ts'

test('non-empty texts are found by path in lists and objects; others are left out', () => {
  const data = {
    name: 'Ana',
    empty: '',
    age: 14,
    nothing: null,
    review: { notes: [{ text: 'Hands' }, { text: '' }, null, { text: 'Hips' }] },
  }
  const paths = ['name', 'empty', 'age', 'nothing', 'nothing.text', 'name.text', 'missing.text', 'review.notes.*.text']
  expect(personalTextsByPath(data, paths)).toEqual({ name: 'Ana', 'review.notes.0.text': 'Hands', 'review.notes.3.text': 'Hips' })
  expect(personalTextsByPath(null, ['name'])).toEqual({})
})

test('texts are replaced in place, and a path that leads nowhere changes nothing', () => {
  const data = { name: 'x', list: [{ text: 'y' }], nothing: null, age: 14 }
  setPersonalTextsInPlace(
    data,
    ['name', 'list.0.text', 'list.1.text', 'nothing.text', 'age.text', 'missing', 'missing.text'],
    index => `text ${index}`,
  )
  expect(data).toEqual({ name: 'text 0', list: [{ text: 'text 1' }], nothing: null, age: 14 })
  setPersonalTextsInPlace(data, ['name'], () => null)
  expect(data.name).toBeNull()
  expect(() => setPersonalTextsInPlace('no object', ['name'], () => 'x')).not.toThrow()
})
