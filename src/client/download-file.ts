/** A download is written to this file before the browser saves it, so that the whole archive never has to fit into memory. */
const FILE = 'taken-along.zip'
/** The localStorage key with the account whose videos are in that file. It exists as long as the file (`session.ts` reads it). */
const OWNER = 'downloaded'

/** Creates the file in the origin private file system (OPFS) for an account; null where the browser has no such file system. */
export async function createDownloadFile(account: string | undefined): Promise<FileSystemFileHandle | null> {
  try {
    const root = await navigator.storage.getDirectory()
    localStorage.setItem(OWNER, account ?? '?')
    return await root.getFileHandle(FILE, { create: true })
  } catch {
    return null
  }
}

/** Deletes the file, whichever account created it. Never rejects: if the file cannot be deleted now, a later page deletes it. */
export async function deleteDownloadFile() {
  try {
    const root = await navigator.storage.getDirectory()
    await root.removeEntry(FILE).catch((error: DOMException) => {
      if (error.name !== 'NotFoundError') throw error
    })
    localStorage.removeItem(OWNER)
  } catch {
    // This browser has no such file system, or another tab is writing to the file.
  }
}
