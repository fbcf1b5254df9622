import type { FolderEvent } from '../folders/folder.ts'
import { type EventStore, streamOf } from '../kernel/store.ts'

/** Whether this assignment happened and was neither withdrawn nor declined. */
export async function isAssignmentInEffect(store: Pick<EventStore, 'read'>, folder: string, assignment: string): Promise<boolean> {
  const assignmentEvents = ((await store.read(streamOf('folder', folder))) as unknown as FolderEvent[]).filter(
    e => 'assignment' in e.data && e.data.assignment === assignment,
  )
  return (
    assignmentEvents.some(e => e.type === 'FolderAssigned') &&
    !assignmentEvents.some(e => e.type === 'AssignmentWithdrawn' || e.type === 'AssignmentDeclined')
  )
}
