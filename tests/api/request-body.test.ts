import { randomUUID } from 'node:crypto'
import { mockEvent } from 'h3'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { Endpoint } from '../../modules/endpoint.ts'
import { foldersContract } from '../../modules/folders/contract.ts'
import { Problem } from '../../src/api/problem.ts'
import { isStorableJson, readBody } from '../../src/api/request-body.ts'

const ours = 'https://ours.test'
const MEGABYTE = 1024 * 1024

test.each<[boolean, unknown]>([
  ...['', 'Müller \u{1f94e}', 0, null, true, undefined, [], {}, [['a', { b: ['c'] }]]].map((value): [boolean, unknown] => [true, value]),
  ...['\0', 'a\0b', '\ud83e', '\udd4e', ['a', 'b\0'], { a: { b: ['\0'] } }, { 'a\0': 1 }, { a: 'a', b: '\udd4e' }].map(
    (value): [boolean, unknown] => [false, value],
  ),
])('isStorableJson returns %s for %j', (is, value) => expect(isStorableJson(value)).toBe(is))

describe('a request body', () => {
  const json: Endpoint = { summary: '', access: 'anyone', body: z.strictObject({ name: z.string('Say a name').min(2, 'Two letters') }) }
  const bytes = { summary: '', access: 'anyone', bytes: ['image/png', 'image/jpeg'], limit: 10 } as unknown as Endpoint
  const none: Endpoint = { summary: '', access: 'anyone' }
  const ask = (endpoint: Endpoint, body: BodyInit | undefined, type?: string, more: Record<string, string> = {}, method = 'POST') =>
    readBody(
      mockEvent(
        new Request(`${ours}/x`, {
          method,
          ...(body !== undefined && { body }),
          headers: { ...(type !== undefined && { 'content-type': type }), ...more },
        }),
      ),
      endpoint,
    )
  const refused = async (status: number, code: string, asked: Promise<unknown>) => {
    const error = (await asked.catch(error => error)) as Problem
    expect(error).toBeInstanceOf(Problem)
    expect([error.status, error.code]).toEqual([status, code])
    return error
  }

  test('is parsed as JSON and validated by the schema', async () => {
    for (const type of ['application/json', 'application/json; charset=utf-8', 'APPLICATION/JSON ', ' application/json ;x'])
      expect(await ask(json, '{"name":"Ana"}', type)).toEqual({ name: 'Ana' })
    expect((await refused(422, 'invalid', ask(json, '{"name":"A"}', 'application/json'))).message).toBe('Two letters')
    expect((await refused(422, 'invalid', ask(json, '{}', 'application/json'))).message).toBe('Say a name')
    for (const text of ['{', '', 'name=Ana']) {
      const { message } = await refused(400, 'malformed', ask(json, text, 'application/json'))
      expect(message).toBe('This is not valid JSON.')
    }
  })
  test.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'application/jsonp', ''])(
    'of type "%s" is refused, so that forms on other sites cannot send it',
    async type => {
      const { message, headers } = await refused(415, 'unsupported-type', ask(json, '{"name":"Ana"}', type))
      expect([message, headers.accept]).toEqual(['Send this as application/json.', 'application/json'])
      if (type) await refused(415, 'unsupported-type', ask(none, 'x', type))
    },
  )
  test('is passed on unchanged if the route takes bytes', async () => {
    const sent = new Uint8Array([1, 2, 3])
    for (const type of ['image/png', 'image/jpeg']) expect(await ask(bytes, sent, type)).toEqual(sent)
    const { message, headers } = await refused(415, 'unsupported-type', ask(bytes, sent, 'application/json'))
    expect([message, headers.accept]).toEqual(['Send this as image/png, image/jpeg.', 'image/png, image/jpeg'])
    await refused(415, 'unsupported-type', ask(bytes, sent, ''))
  })
  test('is ignored if the route takes no body', async () => {
    expect(await ask(none, undefined)).toBeUndefined()
    expect(await ask(none, 'anything', 'application/json')).toBeUndefined()
    for (const method of ['GET', 'HEAD']) expect(await ask(none, undefined, 'text/plain', {}, method)).toBeUndefined()
  })
  test("has a maximum length, declared or counted: a megabyte or the endpoint's own", async () => {
    const text = (length: number) => JSON.stringify({ name: 'x'.repeat(length - 11) })
    const declared = (length: number) => ({ 'content-length': String(length) })
    for (const more of [undefined, declared(MEGABYTE)])
      expect(await ask(json, text(MEGABYTE), 'application/json', more)).toMatchObject({ name: expect.any(String) })
    for (const more of [undefined, declared(MEGABYTE + 1)]) {
      const { message } = await refused(413, 'too-large', ask(json, text(MEGABYTE + 1), 'application/json', more))
      expect(message).toBe('This is too large to send.')
    }
    for (const more of [undefined, declared(10)]) expect(await ask(bytes, new Uint8Array(10), 'image/png', more)).toHaveLength(10)
    for (const more of [undefined, declared(11)]) await refused(413, 'too-large', ask(bytes, new Uint8Array(11), 'image/png', more))
  })
  test('that ends early is reported as incomplete', async () => {
    const broken = new ReadableStream({ pull: controller => controller.error(new Error('gone')) })
    const request = new Request(`${ours}/x`, {
      method: 'POST',
      body: broken,
      headers: { 'content-type': 'application/json' },
      duplex: 'half',
    } as RequestInit)
    const { message } = await refused(400, 'unreadable', readBody(mockEvent(request), json))
    expect(message).toBe('The request was interrupted. Try again.')
  })
  test('with more values than the schema checks is refused as too large', async () => {
    const draft = foldersContract['PUT /api/folders/{folder}/draft']
    const stroke = [0, 'stroke', randomUUID(), ...Array(150_000).fill(-1)]
    const voice = { id: randomUUID(), video: randomUUID(), frame: 0, milliseconds: 1, bytes: 1, type: 'audio/webm', actions: [stroke] }
    const text = JSON.stringify({ revision: 0, draft: { notes: [], summary: '', grades: [], voices: [voice] } })
    const { message } = await refused(422, 'invalid', ask(draft, text, 'application/json'))
    expect(message).toBe('This is more than we can accept at once. Send less.')
    const deep = `{"name":${'['.repeat(100_000)}"\\u0000"${']'.repeat(100_000)}}`
    expect((await refused(422, 'invalid', ask(json, deep, 'application/json'))).errors).toEqual([])
  })
  test("is not refused as invalid if the schema's own check throws an error", async () => {
    const broken: Endpoint = {
      ...json,
      body: z.any().refine(() => {
        throw new TypeError('a bug')
      }),
    }
    await expect(ask(broken, '{}', 'application/json')).rejects.toThrow(TypeError)
  })
  test('with characters that cannot be stored is refused, however they are escaped', async () => {
    for (const text of ['{"name":"a\\u0000"}', '{"name":"ab\\uD83E"}', '{"a\\u0000":1}']) {
      const { message, errors } = await refused(422, 'invalid', ask(json, text, 'application/json'))
      expect([message, errors]).toEqual(['The text contains a character that we cannot store.', []])
    }
    expect(await ask(json, '{"name":"\\ud83e\\udd4e\\\\u0000"}', 'application/json')).toEqual({ name: '\u{1f94e}\\u0000' })
  })
})
