import { handleCommand, systemCommandSource } from '../../modules/kernel/decider.ts'
import type { EventStore } from '../../modules/kernel/store.ts'
import { supportRequestDecider } from '../../modules/support/support-request.ts'

/**
 * Opens a support request that the server makes by itself, so that administrators act. The person whom it concerns can read it and gets
 * the answer. Idempotent: the same `id` and `command` open it once.
 */
export const openAutomaticSupportRequest = (
  store: EventStore,
  { id, person, content, command }: { id: string; person: string; content: string; command: string },
) =>
  handleCommand(
    store,
    supportRequestDecider,
    id,
    'ask',
    { by: person, requestType: 'issue', content, deviceInfo: null, priority: 'high', suggestedSolution: null },
    systemCommandSource(command),
  )
