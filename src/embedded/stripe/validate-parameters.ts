import { z } from 'zod'
import type { DecodedForm } from './decode-form.ts'
import { InvalidParameterError } from './stripe-error.ts'

/** Schemas for request fields, which arrive as text. */
export const textParameter = z.string().min(1).max(5000)
export const integerParameter = z
  .string()
  .regex(/^-?\d{1,12}$/)
  .transform(Number)
export const booleanParameter = z.enum(['true', 'false']).transform(v => v === 'true')
export const metadataParameter = z
  .record(z.string().max(40), z.string().max(500))
  .refine(m => Object.keys(m).length <= 50)
  .optional()
export const currencyParameter = z.literal('usd')

/** Validates a request as strictly as Stripe does. @throws InvalidParameterError that names the parameter */
export function validateParameters<S extends z.ZodType>(schema: S, form: DecodedForm): z.output<S> {
  if (form.payment_method_types)
    throw new InvalidParameterError(
      'The parameter `payment_method_types` is no longer supported. Use `allowed_payment_method_types`.',
      'payment_method_types_no_longer_supported',
      'payment_method_types',
    )
  const parsed = schema.safeParse(form)
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]!
  const path = issue.code === 'unrecognized_keys' ? [...issue.path, issue.keys[0]!] : issue.path
  const param = path.map((p, i) => (i ? `[${String(p)}]` : String(p))).join('')
  const given = path.reduce<unknown>((at, p) => (at as Record<PropertyKey, unknown> | undefined)?.[p], form)
  if (issue.code === 'unrecognized_keys')
    throw new InvalidParameterError(`Received unknown parameter: ${param}`, 'parameter_unknown', param)
  if (given === undefined) throw new InvalidParameterError(`Missing required param: ${param}.`, 'parameter_missing', param)
  if (given === '') throw new InvalidParameterError(`You passed an empty string for '${param}'.`, 'parameter_invalid_empty', param)
  if (issue.code === 'invalid_format')
    throw new InvalidParameterError(`Invalid integer: ${String(given)}`, 'parameter_invalid_integer', param)
  throw new InvalidParameterError(`Invalid ${param}: ${issue.message}`, undefined, param)
}
