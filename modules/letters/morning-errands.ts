import { derivedId } from '../kernel/decider.ts'

/** The id of the errand that sends a minor's letter in the morning, because the turn of errand `id` came at night. */
export const morningErrandId = (id: string) => derivedId(id, 'morning')

/** Leaves out the errands that sent the player no letter, because another errand in the list sends it in the morning. */
export function withoutPostponedErrands<E extends { id: string }>(errands: E[]): E[] {
  const ids = new Set(errands.map(errand => errand.id))
  return errands.filter(({ id }) => !ids.has(morningErrandId(id)))
}
