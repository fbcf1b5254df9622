import type { DoctorCheckResult } from '../../modules/doctor-check-result.ts'
import { eventstoredbStore } from '../../modules/kernel/stores/eventstoredb.ts'
import { withDeadline } from '../../modules/kernel/with-deadline.ts'

const ANSWER_WAIT_MS = 10_000

/**
 * Checks that an EventStoreDB responds and that its user may read. It only reads, so a missing write permission shows up only with the
 * first command.
 */
export async function checkEventStoreDB(url: string): Promise<DoctorCheckResult[]> {
  const store = eventstoredbStore(url)
  try {
    const reason = (work: Promise<unknown>) =>
      withDeadline(ANSWER_WAIT_MS, work).then(
        () => null,
        (error: Error) => error.message,
      )
    const stream = await reason(store.read('doctor-asks'))
    if (stream !== null) return [{ check: 'EventStoreDB answers', isTrue: false, advice: `It says: ${stream}. Check EVENTSTOREDB_URL.` }]
    const log = await reason(firstEvents(store))
    return [
      { check: 'EventStoreDB answers', isTrue: true, advice: '' },
      { check: 'its user may read the whole log', isTrue: log === null, advice: `It says: ${log}. Let the user read $all.` },
    ]
  } finally {
    store.close()
  }
}

/** Reads the log from its beginning until the first event arrives, for a second at most. */
async function firstEvents(store: ReturnType<typeof eventstoredbStore>) {
  for await (const _ of store.follow(-1n, AbortSignal.timeout(1000))) return
}
