/** A download is written here before it is given to the browser: on the disk, not in memory. */
const FILE = 'taken-along.zip'
/** localStorage: the account whose videos lie in that file, as long as there is one (`session.ts` reads it). */
const OWNER = 'downloaded'

/** A file on this device's disk that only this site sees, begun for an account; null where the browser has none. */
export async function createDownloadFile(account: string | undefined): Promise<FileSystemFileHandle | null> {
  try {
    const root = await navigator.storage.getDirectory()
    localStorage.setItem(OWNER, account ?? '?')
    return await root.getFileHandle(FILE, { create: true })
  } catch {
    return null
  }
}

/** Removes it, whoever began it. Never rejects; a file that cannot be removed now is removed by a later page. */
export async function deleteDownloadFile() {
  try {
    const root = await navigator.storage.getDirectory()
    await root.removeEntry(FILE).catch((error: DOMException) => {
      if (error.name !== 'NotFoundError') throw error
    })
    localStorage.removeItem(OWNER)
  } catch {
    // This browser has no such place, or another tab writes there.
  }
}
