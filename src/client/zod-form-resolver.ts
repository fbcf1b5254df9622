import { zodResolver } from '@hookform/resolvers/zod'
import type { FieldValues, Resolver } from 'react-hook-form'
import type { z } from 'zod'
import { afterNextPaint } from '../ui/next-paint.ts'

/** Checks a form with a schema, after the next frame: the button answers first, and then come the messages, which on a slow phone take longer. */
export function zodFormResolver<Input extends FieldValues, Output>(schema: z.ZodType<Output, Input>): Resolver<Input, unknown, Output> {
  const resolver = zodResolver(schema)
  return async (...form) => {
    await afterNextPaint()
    return resolver(...form)
  }
}
