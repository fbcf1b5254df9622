import type { AppDependencies } from '../api/app-dependencies.ts'

/**
 * Waits briefly for these read models to hold all events up to a log position.
 * @throws Error if they still lag behind, so that the outbox retries the errand later
 */
export async function assertReadModelsReachedPosition(
  readModels: Pick<AppDependencies['readModels'], 'caughtUp'>,
  names: string[],
  position: bigint | string,
): Promise<void> {
  if (!(await readModels.caughtUp(names, BigInt(position))))
    throw new Error(`the read models ${names.join(', ')} have not read position ${position} yet`)
}
