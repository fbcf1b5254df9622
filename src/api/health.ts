import { z } from 'zod'
import { endpoints } from '../../modules/endpoint.ts'
import { serve } from './route.ts'

const PATIENCE = 2000

const Ready = z.object({
  ready: z.boolean(),
  dependencies: z.record(z.string(), z.object({ state: z.enum(['up', 'down']), milliseconds: z.int() })),
})

const contract = endpoints({
  'GET /api/health': { summary: 'The process is alive', access: 'anyone', reply: z.object({ status: z.literal('ok') }) },
  'GET /api/ready': {
    summary: 'Each dependency and its state; 503 while one is down',
    access: 'anyone',
    reply: Ready,
    otherwise: { 503: Ready },
  },
})

export const health = serve(contract, {
  'GET /api/health': () => ({ status: 'ok' as const }),

  'GET /api/ready': async ({ deps }) => {
    const states = await Promise.all(Object.entries(deps.checks).map(async ([name, check]) => [name, await state(check)] as const))
    const reply: z.infer<typeof Ready> = {
      ready: states.every(([, s]) => s.state === 'up'),
      dependencies: Object.fromEntries(states),
    }
    return reply.ready ? reply : Response.json(reply, { status: 503 })
  },
})

async function state(check: () => Promise<unknown>) {
  const started = performance.now()
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('no answer')), PATIENCE)
  })
  const up = await Promise.race([check(), late]).then(
    () => true,
    () => false,
  )
  clearTimeout(timer)
  return { state: up ? ('up' as const) : ('down' as const), milliseconds: Math.round(performance.now() - started) }
}
