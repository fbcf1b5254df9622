/** An upload that this device began: its folder's id, and the name of its file. */
export interface UnfinishedUpload {
  folder: string
  name: string
}

const STORAGE_KEY = 'unfinished-uploads'

/** Uploads that this device began and has not finished: only here are their files, so only here can the player resume them. */
export function unfinishedUploads(): UnfinishedUpload[] {
  try {
    return Object.values(JSON.parse(localStorage.getItem(STORAGE_KEY) ?? '{}'))
  } catch {
    return []
  }
}

function change(edit: (uploads: Record<string, UnfinishedUpload>) => void) {
  try {
    const all = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? '{}')
    edit(all)
    localStorage.setItem(STORAGE_KEY, JSON.stringify(all))
  } catch {
    // No storage: the folder's own page still lists its unfinished uploads.
  }
}

export const rememberUpload = (id: string, upload: UnfinishedUpload) =>
  change(all => {
    all[id] = upload
  })

export const forgetUpload = (id: string) =>
  change(all => {
    delete all[id]
  })
