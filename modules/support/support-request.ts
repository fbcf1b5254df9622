import { decider } from '../kernel/decider.ts'
import { CommandRefused } from '../kernel/store.ts'
import type { NewSupportRequest, SupportRequestStatus } from './contract.ts'

/** Stream `request-<id>`. `by` is a user id. */
export type SupportEvent =
  | {
      type: 'SupportRequested'
      data: {
        by: string
        requestType: string
        content: string
        deviceInfo: string | null
        priority: NewSupportRequest['priority']
        suggestedSolution: string | null
      }
    }
  | { type: 'SupportAnswered'; data: { answer: string; by: string } }
  | { type: 'SupportStatusSet'; data: { status: SupportRequestStatus } }
  /** The text of the request was deleted at the end of its retention period. `events`: ids of the events that held the text. */
  | { type: 'SupportRequestDeleted'; data: { events: string[] } }

interface State {
  status: SupportRequestStatus | 'none'
  answers: string[]
}

const assertExists = (r: State) => {
  if (r.status === 'none') throw new CommandRefused('There is no such request.', 'no-request')
}

export const supportRequestDecider = decider<State, SupportEvent>()({
  stream: 'request',
  initial: { status: 'none', answers: [] },
  evolve: {
    SupportRequested: r => ({ ...r, status: 'open' }),
    SupportAnswered: (r, { answer }) => ({ status: 'answered', answers: [...r.answers, answer] }),
    SupportStatusSet: (r, { status }) => ({ ...r, status }),
    SupportRequestDeleted: () => ({ status: 'none', answers: [] }),
  },
  decide: {
    ask: (r, data: Extract<SupportEvent, { type: 'SupportRequested' }>['data']) =>
      r.status === 'none' ? { type: 'SupportRequested', data } : [],
    answer: (r, data: { answer: string; by: string }) => {
      assertExists(r)
      // While the status is still `answered`, repeating the last answer is a duplicate. After the request was reopened, it is a new answer.
      return r.status === 'answered' && r.answers.at(-1) === data.answer ? [] : { type: 'SupportAnswered', data }
    },
    expire: (r, data: { events: string[] }) => (r.status === 'none' ? [] : { type: 'SupportRequestDeleted', data }),
    set: (r, { status }: { status: SupportRequestStatus }) => {
      assertExists(r)
      return r.status === status ? [] : { type: 'SupportStatusSet', data: { status } }
    },
  },
})
