/** Each download is written to this file before the browser saves it, so that the whole archive never has to fit into memory. */
const DOWNLOAD_FILE_NAME = 'taken-along.zip'
/** The localStorage key with the account whose videos are in that file. It exists as long as the file (`login-session.ts` reads it). */
const OWNER_KEY = 'downloaded'

/**
 * Creates the file in the origin private file system (OPFS) for an account; null if that fails, for instance because the browser has no
 * such file system.
 */
export async function createDownloadFile(account: string | undefined): Promise<FileSystemFileHandle | null> {
  try {
    const root = await navigator.storage.getDirectory()
    localStorage.setItem(OWNER_KEY, account ?? '?')
    return await root.getFileHandle(DOWNLOAD_FILE_NAME, { create: true })
  } catch {
    return null
  }
}

/** Deletes the file, whichever account created it. Never rejects: if the file cannot be deleted now, a later page deletes it. */
export async function deleteDownloadFile() {
  try {
    const root = await navigator.storage.getDirectory()
    await root.removeEntry(DOWNLOAD_FILE_NAME).catch((error: DOMException) => {
      if (error.name !== 'NotFoundError') throw error
    })
    localStorage.removeItem(OWNER_KEY)
  } catch {
    // This browser has no origin private file system, or another tab is writing to the file.
  }
}
