import type postgres from 'postgres'
import { derivedId, handleCommand, systemCommandSource } from '../kernel/decider.ts'
import type { EventStore } from '../kernel/store.ts'
import { folderDecider } from './folder.ts'
import { deleteHeldDelivery } from './held-deliveries.ts'
import { deleteDraft } from './review-drafts.ts'

/** Handlers for two errands: one deletes a session's draft and held delivery, the other marks a session as paid. Both are idempotent. */
export const draftAndSessionPaymentErrandHandlers = ({ store, sql }: { store: EventStore; sql: postgres.Sql }) => ({
  'draft.forget': async (p: { assignment: string }) => {
    await deleteDraft(sql, p.assignment)
    await deleteHeldDelivery(sql, p.assignment)
  },
  'folder.paid': (p: { folder: string; assignment: string }) =>
    handleCommand(
      store,
      folderDecider,
      p.folder,
      'paid',
      { assignment: p.assignment },
      systemCommandSource(derivedId(p.assignment, 'folder.paid')),
    ),
})
