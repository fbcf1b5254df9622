import { UNFINISHED_UPLOAD_HOURS } from '../../modules/media/policy.ts'

/** An upload started on this device: its folder's id, and its file's name. */
export interface UnfinishedUpload {
  folder: string
  name: string
  /** The id of the video that it replaces. */
  replaces?: string
  /** The file is a trimmed or smaller copy that existed only in the page's memory, so it cannot be chosen again. */
  isCopy?: boolean
  /** When it was last started or resumed, in ms as `Date.now()`; older versions did not store it. */
  started?: number
}

const STORAGE_KEY = 'unfinished-uploads'

const readAll = (): Record<string, UnfinishedUpload> => JSON.parse(localStorage.getItem(STORAGE_KEY) ?? '{}')
const isDiscarded = ({ started }: UnfinishedUpload, now: number) =>
  started !== undefined && now - started > UNFINISHED_UPLOAD_HOURS * 3600_000

/**
 * Returns the uploads that this device started and has not finished, except those that the server has discarded by now. Only this device
 * has the files, so the player can resume them only here.
 * @param now in milliseconds, as `Date.now()`
 */
export function readUnfinishedUploads(now: number): UnfinishedUpload[] {
  try {
    return Object.values(readAll()).filter(upload => !isDiscarded(upload, now))
  } catch {
    return []
  }
}

/** The uploads to a folder that this device remembers, with their ids. */
export function rememberedUploadsOfFolder(folder: string): [id: string, upload: UnfinishedUpload][] {
  try {
    return Object.entries(readAll()).filter(([, upload]) => upload.folder === folder)
  } catch {
    return []
  }
}

function change(edit: (uploads: Record<string, UnfinishedUpload>) => void) {
  try {
    const all = readAll()
    edit(all)
    localStorage.setItem(STORAGE_KEY, JSON.stringify(all))
  } catch {
    // Without storage, the folder's page still gets the list of unfinished uploads from the server.
  }
}

export const rememberUpload = (id: string, upload: Omit<UnfinishedUpload, 'started'>) =>
  change(all => {
    const now = Date.now()
    for (const [other, its] of Object.entries(all)) if (isDiscarded(its, now)) delete all[other]
    all[id] = { ...upload, started: now }
  })

export const forgetUpload = (id: string) =>
  change(all => {
    delete all[id]
  })
