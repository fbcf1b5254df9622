import type { Deps } from './deps.ts'

/** How every projection and process stands. */
export async function subscriptionStatuses(deps: Pick<Deps, 'readModels' | 'processes'>) {
  const [readModels, processes] = await Promise.all([deps.readModels.status(), deps.processes.status()])
  return [...readModels.map(({ version: _, ...rest }) => rest), ...processes.map(rest => ({ ...rest, rebuilding: null }))]
}
