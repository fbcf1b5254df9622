import { derivedId, handle } from '../kernel/decider.ts'
import type { EventStore } from '../kernel/store.ts'
import { folder } from './folder.ts'

/** What others ask of a folder. Twice is like once. */
export const folderErrands = (store: EventStore) => ({
  'folder.paid': (p: { folder: string; assignment: string }) =>
    handle(
      store,
      folder,
      p.folder,
      'paid',
      { assignment: p.assignment },
      { command: derivedId(p.assignment, 'folder.paid'), actor: 'system' },
    ),
})
