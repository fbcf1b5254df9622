import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { MAX_PHRASES_PER_INSTRUCTOR } from '../../modules/phrases/policy.ts'
import { type CookieClient, newInstructorInput, startTestServer, type TestServer } from './test-server.ts'

let h: TestServer
let ray: CookieClient
let ana: CookieClient
beforeAll(async () => {
  h = await startTestServer()
  ;[ray, ana] = await Promise.all([instructor(), instructor()])
})
async function instructor() {
  const who = h.browser()
  await who.call('POST', '/api/register/instructor', newInstructorInput())
  return who
}
afterAll(() => h.end())

const stay = { text: 'Stay back.', kind: 'tip', link: null }
const tee = { text: 'Ten off the tee.', kind: 'drill', link: 'https://youtu.be/abc?t=4' }
const keep = (who: CookieClient, phrase: object, id = randomUUID()) => who.call('POST', '/api/phrases', { id, ...phrase })
const savedPhrases = async (who: CookieClient) => (await who.call('GET', '/api/phrases')).body.phrases

test('only their owner can add, change or delete phrases', async () => {
  const ray = await instructor()
  const [first, second] = [(await keep(ray, stay)).body.id, (await keep(ray, tee)).body.id]
  expect(await savedPhrases(ray)).toEqual([
    { id: second, ...tee },
    { id: first, ...stay },
  ])
  expect(await savedPhrases(ana)).toEqual([])
  expect((await ana.call('PUT', `/api/phrases/${first}`, tee)).status).toBe(404)
  expect((await ana.call('DELETE', `/api/phrases/${first}`)).status).toBe(404)
  expect((await keep(ana, { ...stay, text: 'Mine now' }, first)).status).toBe(404)
  expect((await ray.call('PUT', `/api/phrases/${first}`, { ...stay, text: ' Stay back longer. ', kind: 'technique' })).status).toBe(204)
  expect((await savedPhrases(ray))[0]).toEqual({ id: first, text: 'Stay back longer.', kind: 'technique', link: null })
  expect((await ray.call('DELETE', `/api/phrases/${second}`)).status).toBe(204)
  expect((await savedPhrases(ray)).map((p: { id: string }) => p.id)).toEqual([first])
})

test('the same phrase is saved only once, even if its request is repeated', async () => {
  const ana = await instructor()
  const id = (await keep(ana, tee)).body.id
  expect([(await keep(ana, tee, id)).body.id, (await keep(ana, tee)).body.id]).toEqual([id, id])
  expect(await savedPhrases(ana)).toHaveLength(1)
  expect((await keep(ana, { ...tee, link: 'https://youtu.be/other' })).body.id).not.toBe(id)
})

test('resending a new phrase with a changed text saves the changed text', async () => {
  const cleo = await instructor()
  const id = (await keep(cleo, stay)).body.id
  const again = await keep(cleo, { ...stay, text: 'Stay back longer.' }, id)
  expect([again.status, again.body.id]).toEqual([201, id])
  expect(await savedPhrases(cleo)).toEqual([{ id, ...stay, text: 'Stay back longer.' }])
  // Resending a phrase with the content of another stored phrase returns that other phrase's id.
  const other = (await keep(cleo, tee)).body.id
  expect((await keep(cleo, tee, id)).body.id).toBe(other)
})

test.each([
  ['without words', { ...stay, text: '  ' }, 'text'],
  ['that is too long', { ...stay, text: 'x'.repeat(1001) }, 'text'],
  ['of an unknown kind', { ...stay, kind: 'joke' }, 'kind'],
  ['with a javascript: link', { ...tee, link: 'javascript:alert(1)' }, 'link'],
  ['with an unencrypted http link', { ...tee, link: 'http://drills.example.com' }, 'link'],
  ['with a user name in its link', { ...tee, link: 'https://google.com@evil.example/x' }, 'link'],
  ['with a link to localhost', { ...tee, link: 'https://localhost/x' }, 'link'],
  ['with a link without https://', { ...tee, link: 'youtu.be/abc' }, 'link'],
])('a phrase %s is refused with a message for its field', async (_, phrase, field) => {
  const { status, body } = await keep(ray, phrase)
  expect(status).toBe(422)
  expect(new Set(body.errors.map((e: { field: string }) => e.field))).toEqual(new Set([field]))
  expect(body.errors[0].message).toMatch(/^[A-Z]/)
})

test('the number of phrases is limited', async () => {
  const full = await instructor()
  for (let i = 0; i < MAX_PHRASES_PER_INSTRUCTOR; i++) expect((await keep(full, { ...stay, text: `Phrase ${i}` })).status).toBe(201)
  const { status, body } = await keep(full, { ...stay, text: 'One more' })
  expect([status, body.code]).toEqual([409, 'too-many-phrases'])
  // Saving an existing phrase again is possible even when the maximum is reached.
  expect((await keep(full, { ...stay, text: 'Phrase 7' })).status).toBe(201)
})
