import type { AppDependencies } from './app-dependencies.ts'

/** The status of every reader of the log: projections, companions that run with them (the writer of the hash chain), and processes. */
export async function readerStatuses({ readModels, processes }: Pick<AppDependencies, 'readModels' | 'processes'>) {
  const all = await Promise.all([readModels.status(), readModels.companionStatuses(), processes.status()])
  const [ofReadModels, ofCompanions, ofProcesses] = all
  return [
    ...ofReadModels.map(({ version: _, ...rest }) => rest),
    ...ofCompanions.map(rest => ({ ...rest, rebuilding: null, parked: { count: 0, streams: [] } })),
    ...ofProcesses.map(rest => ({ ...rest, rebuilding: null })),
  ]
}
