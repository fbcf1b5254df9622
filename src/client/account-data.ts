import { deleteDownloadFile } from './download-file.ts'
import { indexedDbStore } from './indexed-db-store.ts'

/** What `src/draft` and `src/voice` keep says whose it is; what was kept before it did is anybody's. */
interface Owned {
  owner?: string
}
interface KeptVoice extends Owned {
  state: 'recording' | 'made' | 'sent'
  voice: { id: string }
}

/** How many reviews and recordings are on this device alone. */
export interface UnsentWork {
  reviews: number
  recordings: number
}

const drafts = indexedDbStore<Owned>('drafts')
const voices = indexedDbStore<KeptVoice>('voices')
/** Keys of localStorage: where one was in reviews, which uploads broke off, and, by session, drafts from before they had a database. */
const TRACES = ['places', 'unfinished-uploads']
const FORMER_DRAFT = 'draft:'

const isOf = (account: string | undefined, { owner }: Owned) => owner === undefined || owner === account
const formerDrafts = () => Object.keys(localStorage).filter(key => key.startsWith(FORMER_DRAFT))

/** Entries of an account; none where the browser keeps nothing. */
async function entriesOf<T extends Owned>(store: ReturnType<typeof indexedDbStore<T>>, prefix: string, account: string | undefined) {
  const all = await store.all(prefix).catch(() => [])
  return all.filter(([, value]) => isOf(account, value))
}

export async function unsentWork(account: string | undefined): Promise<UnsentWork> {
  const [written, spoken] = await Promise.all([entriesOf(drafts, '', account), entriesOf(voices, 'kept ', account)])
  // A draft is kept under its session and its tab.
  const sessions = [...written.map(([key]) => key.split(' ')[0]), ...formerDrafts().map(key => key.slice(FORMER_DRAFT.length))]
  return { reviews: new Set(sessions).size, recordings: spoken.filter(([, { state }]) => state !== 'sent').length }
}

/** Deletes all that an account has on this device, sent or not. */
export async function deleteAccountData(account: string | undefined): Promise<void> {
  for (const key of [...TRACES, ...formerDrafts()]) localStorage.removeItem(key)
  const [written, spoken] = await Promise.all([entriesOf(drafts, '', account), entriesOf(voices, 'kept ', account)])
  const sounds = await Promise.all(spoken.map(([, { voice }]) => voices.all(`sound ${voice.id} `)))
  const deleted = ([key]: [key: string, value: unknown]) => [key, undefined] as const
  await Promise.allSettled([
    drafts.write(written.map(deleted)),
    voices.write([...spoken, ...sounds.flat()].map(deleted)),
    deleteDownloadFile(),
  ])
}
