import fc from 'fast-check'
import { z } from 'zod'

// biome-ignore lint/suspicious/noExplicitAny: JSON Schema
type Json = any

/** Caches the arbitrary of each schema, because building one takes longer than sending a request with a generated value. */
const arbitraries = new WeakMap<z.ZodType, fc.Arbitrary<Json>>()

/** Generates values that satisfy a schema, but perhaps not its refinements, to test endpoints with almost valid input. */
export function arbitraryOfSchema(schema: z.ZodType): fc.Arbitrary<Json> {
  const arbitrary = arbitraries.get(schema) ?? of(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }))
  arbitraries.set(schema, arbitrary)
  return arbitrary
}

function of(s: Json): fc.Arbitrary<Json> {
  if (s.const !== undefined) return fc.constant(s.const)
  if (s.enum) return fc.constantFrom(...s.enum)
  if (s.anyOf) return fc.oneof(...s.anyOf.map(of))
  switch (s.type) {
    case 'object': {
      if (!s.properties) return fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 3 })
      const fields = Object.fromEntries(Object.entries(s.properties).map(([name, inner]) => [name, of(inner)]))
      return fc.record(fields, { requiredKeys: s.required ?? [] })
    }
    case 'array':
      return fc.array(of(s.items ?? {}), { minLength: s.minItems ?? 0, maxLength: Math.min(s.maxItems ?? 3, (s.minItems ?? 0) + 3) })
    case 'string':
      return text(s)
    case 'integer':
      return fc.integer({ min: Math.max(s.minimum ?? -1e6, -(2 ** 31)), max: Math.min(s.maximum ?? 1e6, 2 ** 31 - 1) })
    case 'number':
      return fc.double({ min: s.minimum ?? -1e6, max: s.maximum ?? 1e6, noNaN: true })
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    default:
      return fc.jsonValue()
  }
}

function text(s: Json): fc.Arbitrary<string> {
  if (s.format === 'uuid') return fc.uuid()
  if (s.format === 'date')
    return fc.date({ min: new Date('1930-01-01'), max: new Date('2030-01-01'), noInvalidDate: true }).map(d => d.toISOString().slice(0, 10))
  if (s.format === 'date-time')
    return fc.date({ noInvalidDate: true, min: new Date('1970-01-01'), max: new Date('2100-01-01') }).map(d => d.toISOString())
  if (s.format === 'email') return fc.emailAddress()
  if (s.pattern && !s.allOf) return fc.stringMatching(new RegExp(s.pattern))
  const minLength = s.minLength ?? 0
  return fc.oneof(
    fc.string({ unit: 'binary', minLength, maxLength: Math.min(s.maxLength ?? 60, minLength + 60) }),
    fc.emailAddress().map(e => e.padEnd(minLength, 'x')),
    fc.constantFrom('Ana Lee', 'ana.lee@example.com').map(e => e.padEnd(minLength, 'x')),
    fc.constantFrom("' or 1=1 --", '<script>', '../../etc/passwd', '\u202e', '0').map(e => e.padEnd(minLength, 'x')),
  )
}

/** Generates request bodies: valid ones, almost valid ones, and nonsense. */
export const arbitraryRequestBodies = (schema: z.ZodType): fc.Arbitrary<Json> => {
  const right = arbitraryOfSchema(schema)
  return fc.oneof(
    { weight: 4, arbitrary: right },
    { weight: 3, arbitrary: fc.tuple(right, fc.string(), fc.jsonValue()).map(([v, key, other]) => broken(v, key, other)) },
    { weight: 1, arbitrary: fc.jsonValue() },
  )
}

/** Returns a copy with one field replaced or one element appended; anything but an object or array is replaced. */
function broken(value: Json, key: string, other: Json): Json {
  if (value === null || typeof value !== 'object') return other
  const keys = Object.keys(value)
  const field = keys.length ? keys[key.length % keys.length]! : key
  return Array.isArray(value) ? [...value, other] : { ...value, [field]: other }
}
