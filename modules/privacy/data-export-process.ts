import { errand, eventProcess } from '../kernel/process.ts'
import { idOfStream } from '../kernel/store.ts'
import type { AccountEvent } from './account-exports-and-deletion-decider.ts'

/** Creates the file with everything we store about a person, as an errand in the background, and removes it when it expires. */
export const dataExportProcess = eventProcess<AccountEvent>({
  name: 'exporting',
  startsFrom: 'beginning',
  on: {
    ExportRequested: e => errand(e, 'export.make', { person: idOfStream(e.stream), export: e.data.export, position: `${e.position}` }),
    ExportMade: e => errand(e, 'export.remove', { person: idOfStream(e.stream), export: e.data.export }, { due: e.data.until }),
  },
})
