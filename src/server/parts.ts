import { recover } from '../../modules/accounts/recovery.ts'
import { schema as accounts } from '../../modules/accounts/schema.ts'
import { schema as instructors } from '../../modules/instructors/schema.ts'
import { type Handler, schema as outbox } from '../../modules/kernel/errands.ts'
import type { Process } from '../../modules/kernel/process.ts'
import type { Projection } from '../../modules/kernel/projection.ts'
import { schema as leads } from '../../modules/leads/schema.ts'
import type { Deps } from '../api/deps.ts'

// What the modules bring to a running server: each adds itself to the lists below, and its calls to `src/api/index.ts`.

/** Tables, in the order in which they need one another. */
export const schemas = [outbox, accounts, instructors, leads]

// biome-ignore lint/suspicious/noExplicitAny: a list of projections of different events
export const projections: Projection<any, any>[] = []

// biome-ignore lint/suspicious/noExplicitAny: a list of processes over different events
export const processes: Process<any>[] = []

/** What performs each kind of errand. */
export const performers = (deps: Deps): Record<string, Handler> => ({
  'account.recover': (p: { recovery: string }) => recover(deps.sql, deps.post, p.recovery, deps.clock()),
})

/** What is done by the clock, in every process; `every` in ms. */
export const chores = (deps: Deps): { name: string; every: number; run(): Promise<unknown> }[] => [
  {
    name: 'forgetting what is over',
    every: 3600_000,
    run: async () => {
      const now = deps.clock()
      await deps.sql`delete from sessions where expires < ${now}`
      await deps.sql`delete from links where expires < ${now}`
      await deps.sql`delete from limits where expire < ${now.getTime()}`
    },
  },
]
