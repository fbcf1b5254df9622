import { createIndexedDbStore } from './indexed-db-store.ts'
import { deleteDownloadFile } from './temporary-download-file.ts'

/**
 * A value that `src/draft` or `src/voice` stored, with the account that wrote it. Older versions stored no owner; such a value belongs to
 * every account.
 */
interface Owned {
  owner?: string
}
interface StoredVoice extends Owned {
  state: 'recording' | 'made' | 'sent'
  voice: { id: string }
}

/** How many reviews and recordings exist on this device only, because the server does not have them yet. */
export interface UnsentWorkCounts {
  reviews: number
  recordings: number
}

const drafts = createIndexedDbStore<Owned>('drafts')
const voices = createIndexedDbStore<StoredVoice>('voices')
/** localStorage keys: the last position in each review, the uploads that were interrupted, and the presets of drawing tools. */
const ACCOUNT_STORAGE_KEYS = ['places', 'unfinished-uploads', 'tool-presets']
const FORMER_DRAFT_PREFIX = 'draft:'

const belongsTo = (account: string | undefined, { owner }: Owned) => owner === undefined || owner === account
const formerDrafts = () => Object.keys(localStorage).filter(key => key.startsWith(FORMER_DRAFT_PREFIX))

/** Entries that belong to an account or have no owner. Empty if the browser has no storage. */
async function entriesOf<T extends Owned>(store: ReturnType<typeof createIndexedDbStore<T>>, prefix: string, account: string | undefined) {
  const all = await store.all(prefix).catch(() => [])
  return all.filter(([, value]) => belongsTo(account, value))
}

/** Counts an account's reviews and recordings that exist on this device only. */
export async function countUnsentWork(account: string | undefined): Promise<UnsentWorkCounts> {
  const [written, spoken] = await Promise.all([entriesOf(drafts, '', account), entriesOf(voices, 'kept ', account)])
  // The key of a draft is its session's id, a space, and a UUID for the tab's copy.
  const sessions = [...written.map(([key]) => key.split(' ')[0]), ...formerDrafts().map(key => key.slice(FORMER_DRAFT_PREFIX.length))]
  return { reviews: new Set(sessions).size, recordings: spoken.filter(([, { state }]) => state !== 'sent').length }
}

/** Deletes everything that an account or an unknown owner has stored on this device, including work that was never sent. */
export async function deleteAccountDataOnDevice(account: string | undefined): Promise<void> {
  for (const key of [...ACCOUNT_STORAGE_KEYS, ...formerDrafts()]) localStorage.removeItem(key)
  const [written, spoken] = await Promise.all([entriesOf(drafts, '', account), entriesOf(voices, 'kept ', account)])
  const sounds = await Promise.all(spoken.map(([, { voice }]) => voices.all(`sound ${voice.id} `)))
  const deleted = ([key]: [key: string, value: unknown]) => [key, undefined] as const
  await Promise.allSettled([
    drafts.write(written.map(deleted)),
    voices.write([...spoken, ...sounds.flat()].map(deleted)),
    deleteDownloadFile(),
  ])
}
