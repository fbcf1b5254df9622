import { readdirSync } from 'node:fs'
import { expect, it } from 'vitest'
import { tell, whoDid } from '../../../src/islands/admin/telling.ts'

it('says who did what', () => {
  expect(tell({ type: 'FolderCreated', data: { name: 'Tee work' } })).toBe('created the folder “Tee work”')
  expect(tell({ type: 'PaymentSucceeded', data: { amount: 1900, tip: 250 } })).toBe('charged $19.00, $2.50 of it a tip')
  expect(whoDid({ actor: 'system', who: null })).toBe('The system')
})
it('is readable for an event it has never heard of', () => {
  expect(tell({ type: 'BaseStolen', data: {} })).toBe('recorded: base stolen')
})
it('never fails on an event with other data than it knows', () => {
  for (const type of ['FeedbackGiven', 'VideoAdded', 'FolderAssigned', 'PaymentOpened', 'CreditsAdded']) {
    expect(tell({ type, data: null })).not.toContain('undefined')
  }
})
it('has a sentence for every event there is a sample of', () => {
  let samples: string[] = []
  try {
    samples = readdirSync('tests/events', { recursive: true, encoding: 'utf8' }).flatMap(f => /(\w+)\.json$/.exec(f)?.[1] ?? [])
  } catch {
    // No samples yet.
  }
  expect(samples.filter(type => /^[A-Z]/.test(type) && tell({ type, data: {} }).startsWith('recorded:'))).toEqual([])
})
