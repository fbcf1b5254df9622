/** A download is written to this file before the browser saves it, so that it needs no memory. */
const FILE = 'taken-along.zip'
/** The localStorage key of the account whose videos are in that file, while it exists (`session.ts` reads it). */
const OWNER = 'downloaded'

/** Creates the file in the origin private file system for an account; null where the browser has none. */
export async function createDownloadFile(account: string | undefined): Promise<FileSystemFileHandle | null> {
  try {
    const root = await navigator.storage.getDirectory()
    localStorage.setItem(OWNER, account ?? '?')
    return await root.getFileHandle(FILE, { create: true })
  } catch {
    return null
  }
}

/** Deletes the file, whichever account created it. Never rejects; a file that cannot be deleted now is deleted by a later page. */
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
