import type postgres from 'postgres'
import type { FolderEvent } from '../modules/folders/folder.ts'
import { projection } from '../modules/kernel/projection.ts'

/** Fewer responses than this say nothing reliable about an instructor. */
const MIN_RESPONSES = 3

/** How long feedback took: one row per assignment. */
export const responseTimes = projection<Extract<FolderEvent, { type: 'FolderAssigned' | 'FeedbackGiven' }>>()({
  name: 'responses',
  version: 1,
  row: { assignment: 'uuid', instructor: 'uuid', assigned: 'timestamptz', given: 'timestamptz?' },
  index: ['instructor'],
  key: e => e.data.assignment,
  on: {
    FolderAssigned: (_, { data: { assignment, instructor }, at }) => ({ assignment, instructor, assigned: at, given: null }),
    FeedbackGiven: (row, { at }) => row && { ...row, given: at },
  },
})

/** SQL expression over rows with feedback: median hours from assignment to feedback; null while there are fewer than `MIN_RESPONSES`. */
export const medianResponseHoursSql = (db: postgres.ISql) => db`
  case when count(*) >= ${MIN_RESPONSES}
    then percentile_cont(0.5) within group (order by extract(epoch from given - assigned)) / 3600 end`
