import { describe, expect, test } from 'vitest'
import { composeEmail } from '../../../modules/letters/compose-email.tsx'
import { supportAnswerLetter } from '../../../modules/letters/support-answer.tsx'
import { sampleSender } from './letter-sample-data.ts'
import { letterSamples } from './letter-samples.ts'

describe.each(Object.entries(letterSamples))('%s', (_, { letter, leadsTo }) => {
  test('has no unfilled values or scripts, and no links but the expected one', async () => {
    const { subject, html, text } = await composeEmail(letter, sampleSender)
    expect(subject).toBe(letter.subject)
    expect(subject.length).toBeLessThanOrEqual(90)
    expect(letter.preview).not.toBe('')
    for (const written of [html, text, subject, letter.preview]) expect(written).not.toMatch(/undefined|null|NaN|\[object/)
    expect(text).toContain(sampleSender.supportEmail)
    expect(html).not.toMatch(/<script|<bunts>/)
    const links = [...html.matchAll(/href="([^"]+)"/g)].map(m => m[1]!.replaceAll('&amp;', '&'))
    expect(links.filter(l => l !== sampleSender.origin && !l.startsWith('mailto:'))).toEqual(leadsTo ? [sampleSender.origin + leadsTo] : [])
    if (leadsTo) expect(text).toContain(sampleSender.origin + leadsTo)
  })
})

test('the inbox preview of a letter to an unconfirmed person has no user-written text', () => {
  for (const name of ['guardian', 'guardian, of a name that may be a message', 'admin-invitation']) {
    const { subject, preview } = letterSamples[name]!.letter
    expect(`${subject} ${preview}`).not.toMatch(/Jo|Pat|Ray|Robin|Maria|Win/)
  }
})

test("a guardian's first letter names the child, unless the name may be a message", () => {
  expect(letterSamples.guardian!.letter.subject).toBe('Ana needs your okay to use DiamondLink')
  expect(letterSamples['guardian, of a name that may be a message']!.letter.subject).toBe(
    'A young player needs your okay to use DiamondLink',
  )
})

test('letters to a guardian about sessions and bills name the child in their subject', () => {
  for (const [name, { letter }] of Object.entries(letterSamples))
    if (name.endsWith('for the guardian')) expect(letter.subject).toContain('Ana')
})

test.each(Object.entries(letterSamples))('the subject of %s contains no free text that a user has typed', (_, { letter }) => {
  // What players and instructors type in the samples: a folder's name, a message, a question.
  expect(letter.subject).not.toMatch(/Swings|bunts|Am I late|How late|Two frames|Good load|until May/)
})

test.each([
  ['video refused', /can review only the other 2 videos\. Once you have the feedback, it can no longer be replaced\./],
  ['only video refused', /Your instructor cannot give feedback while no video can be played\./],
  ['video of an approval request refused', /cannot approve the session\. Replace it, then ask for approval again\./],
])('the letter %s says what the session waits for', async (name, words) => {
  const { text } = await composeEmail(letterSamples[name]!.letter, sampleSender)
  expect(text.replaceAll(/\s+/g, ' ')).toMatch(words)
})

test('a subject is a single line, even if a name has line breaks', async () => {
  const { subject } = await composeEmail({ subject: 'Ana\r\nBcc: all\u2028sent you "Swings"', preview: '', body: '' }, sampleSender)
  expect(subject).toBe('Ana Bcc: all sent you "Swings"')
})

test('the items of a receipt add up to its total', async () => {
  const { text } = await composeEmail(letterSamples.receipt!.letter, sampleSender)
  const amounts = [...text.matchAll(/(−?)\$(\d+\.\d\d)/g)].map(m => Math.round(Number(m[2]) * 100) * (m[1] ? -1 : 1))
  expect(amounts.at(-1)).toBe(amounts.slice(0, -1).reduce((all, n) => all + n, 0))
  expect(text).toContain('DL-260301-0A1B2C3D')
})

test("a receipt's day and year are in one time zone, even on New Year's Eve", async () => {
  expect((await composeEmail(letterSamples["receipt, on New Year's Eve"]!.letter, sampleSender)).text).toContain(
    'Thursday, December 31, 2026',
  )
})

test('guardians get all the feedback in their letter; players get links to the videos', async () => {
  const copy = (await composeEmail(letterSamples['feedback-given, for the guardian']!.letter, sampleSender)).text.replaceAll(/\s+/g, ' ')
  for (const words of [
    ...['reviewed Ana\'s folder "Swings & <bunts>" and left 3 notes.', 'Good load, late hands.'],
    ...[
      '1:01, technique: Let it travel. (with a drawing and a voice-over)',
      '1:02, drill: Deep tee. https://tee.test/deep',
      '1:03, tip: a voice-over',
    ],
    ...['Grades: Hitting 45, Fielding 55.', 'To work on: Shoulder closed (fixed) Turn the hip (given)'],
    'Technique, hitting: load, contact. Technique, fielding: ready.',
    ...['Text on the video: Closed Closed', 'Comparisons: Then and now', 'Also on the videos: 2 drawings, 2 voice-overs, 1 comparison.'],
  ])
    expect(copy).toContain(words)
  const own = (await composeEmail(letterSamples['feedback-given']!.letter, sampleSender)).text
  for (const words of ['Let it travel.', 'Technique', 'Hitting', 'Turn the hip', 'Closed', 'Then and now']) expect(own).not.toContain(words)
})

test('a letter about several videos names the video of each note and position', async () => {
  const text = (await composeEmail(letterSamples['payment-due, for the guardian']!.letter, sampleSender)).text.replaceAll(/\s+/g, ' ')
  expect(text).toContain('Video 2, 1:01, technique: Let it travel.')
  expect(text).toContain('Video 2, technique, hitting: load, contact. Video 1, technique, fielding: ready.')
})

test('a letter about feedback without notes does not count notes', async () => {
  const { text } = await composeEmail(letterSamples['feedback-given, in one sentence']!.letter, sampleSender)
  expect(text.replaceAll(/\s+/g, ' ')).toContain('went through "Swings & <bunts>". In short: Good.')
})

test('numbers in letters come from the policies and have spaces around them', async () => {
  const text = async (name: string) => (await composeEmail(letterSamples[name]!.letter, sampleSender)).text.replaceAll(/\s+/g, ' ')
  expect(await text('welcome, player')).toContain(
    'add up to 3 videos of your reps, and assign it to an instructor. You usually hear back within 24–48 hours.',
  )
  expect(await text('assigned')).toContain('Players usually hear back within 24–48 hours.')
  expect(await text('guardian')).toContain('Players under 18 need a parent or guardian to agree')
})

test('a guardian who pays reads that the saved card is charged after 7 days', async () => {
  const { text } = await composeEmail(letterSamples['assigned, for the guardian']!.letter, sampleSender)
  expect(text.replaceAll(/\s+/g, ' ')).toContain('If you have not paid within 7 days of the feedback, we will charge your saved card.')
  const free = await composeEmail(letterSamples['assigned without a message, for the guardian']!.letter, sampleSender)
  expect(free.text).not.toContain('charge')
})

test('before the 18th birthday, a guardian reads what stays on their bill', async () => {
  const { text } = await composeEmail(letterSamples['guardianship ends']!.letter, sampleSender)
  expect(text.replaceAll(/\s+/g, ' ')).toContain(
    'Sessions that were sent to an instructor before that day, and feedback that has not been paid for yet, stay',
  )
})

test('a preview that would end in the middle of an emoji ends before it', () => {
  const letter = supportAnswerLetter({ name: 'Ana', asked: null, answer: `${'a'.repeat(119)}⚾🥎` }, sampleSender)
  expect(letter.preview).toBe(`${'a'.repeat(119)}⚾`)
  const cut = supportAnswerLetter({ name: 'Ana', asked: null, answer: `${'a'.repeat(119)}🥎` }, sampleSender)
  expect(cut.preview).toBe('a'.repeat(119))
})
