/** An upload that was begun: its folder, and the name of its file. */
export interface Unfinished {
  folder: string
  name: string
}

const KEY = 'unfinished-uploads'

/** Uploads that this device began and has not finished; here is where their files are. */
export function unfinished(): Unfinished[] {
  try {
    return Object.values(JSON.parse(localStorage.getItem(KEY) ?? '{}'))
  } catch {
    return []
  }
}

/** Remembers an upload, or forgets it (`null`). */
export function noteUpload(id: string, what: Unfinished | null) {
  try {
    const all = JSON.parse(localStorage.getItem(KEY) ?? '{}')
    if (what) all[id] = what
    else delete all[id]
    localStorage.setItem(KEY, JSON.stringify(all))
  } catch {
    // No storage: the folder itself still lists what is unfinished.
  }
}
