import { addDays } from '../../modules/dates.ts'
import { derivedId } from '../../modules/kernel/decider.ts'
import type { Errand } from '../../modules/kernel/process.ts'

/** The same errand again a day after `now`, because something that it has to wait for is not settled yet. */
export const errandPostponedByADay = ({ id, kind, payload }: Pick<Errand, 'id' | 'kind' | 'payload'>, now: Date): Errand => ({
  id: derivedId(id, 'postponed'),
  kind,
  payload,
  due: addDays(now, 1).toISOString(),
})
