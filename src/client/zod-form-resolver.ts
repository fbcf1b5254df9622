import { zodResolver } from '@hookform/resolvers/zod'
import type { FieldValues, Resolver } from 'react-hook-form'
import type { z } from 'zod'
import { afterNextPaint } from '../ui/after-next-paint.ts'

/**
 * A react-hook-form resolver that validates with a schema after the next paint, so that on a slow phone the button looks pressed before
 * messages appear.
 */
export function zodFormResolver<Input extends FieldValues, Output>(schema: z.ZodType<Output, Input>): Resolver<Input, unknown, Output> {
  const resolver = zodResolver(schema)
  return async (...form) => {
    await afterNextPaint()
    return resolver(...form)
  }
}
