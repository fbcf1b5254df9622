/** An upload started on this device: its folder's id, and its file's name. */
export interface UnfinishedUpload {
  folder: string
  name: string
}

const STORAGE_KEY = 'unfinished-uploads'

/** Uploads that this device started and has not finished. Only this device has the files, so the player can resume them only here. */
export function readUnfinishedUploads(): UnfinishedUpload[] {
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
    // Without storage, the folder's page still gets the list of unfinished uploads from the server.
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
