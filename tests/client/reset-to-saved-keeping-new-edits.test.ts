import { createFormControl } from 'react-hook-form'
import { expect, test } from 'vitest'
import { resetToSavedKeepingNewEdits } from '../../src/client/persistent-form.ts'

function createForm() {
  const form = createFormControl({ defaultValues: { slug: 'Mia', about: '', skills: ['hitting'] } })
  // The first render sets this; until then, a form returns only its defaults.
  form.control._state.mount = true
  return form
}

test('a saved form takes on the values that the server stored', () => {
  const form = createForm()
  const sent = structuredClone(form.getValues())
  expect(resetToSavedKeepingNewEdits(form, sent, { ...sent, slug: 'mia' })).toBe(false)
  expect(form.getValues()).toEqual({ ...sent, slug: 'mia' })
})

test('edits made while the form is being saved are kept', () => {
  const form = createForm()
  const sent = structuredClone(form.getValues())
  form.setValue('about', 'I teach catchers.')
  form.setValue('skills', ['hitting', 'catching'])
  expect(resetToSavedKeepingNewEdits(form, sent, { ...sent, slug: 'mia' })).toBe(true)
  expect(form.getValues()).toEqual({ slug: 'mia', about: 'I teach catchers.', skills: ['hitting', 'catching'] })
})
