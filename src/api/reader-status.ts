import type { AppDependencies } from './app-dependencies.ts'

/** The status of every projection and process. */
export async function readerStatuses(deps: Pick<AppDependencies, 'readModels' | 'processes'>) {
  const [readModels, processes] = await Promise.all([deps.readModels.status(), deps.processes.status()])
  return [...readModels.map(({ version: _, ...rest }) => rest), ...processes.map(rest => ({ ...rest, rebuilding: null }))]
}
