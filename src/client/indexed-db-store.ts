const resultOf = <T>(request: IDBRequest<T>) =>
  new Promise<T>((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })

/**
 * A key-value store in IndexedDB, with one database for each `kind`. It is for values that are too large or change too often for
 * localStorage, whose writes block the page. Every call rejects if the browser stores nothing, as in some private windows.
 */
export function createIndexedDbStore<T>(kind: string) {
  let database: IDBDatabase | undefined
  let opening: Promise<IDBDatabase> | undefined

  function openDatabase() {
    opening ??= (async () => {
      const request = indexedDB.open(kind, 1)
      request.onupgradeneeded = () => request.result.createObjectStore('kept')
      database = await resultOf(request)
      // The user or the browser cleared the database; the next call opens a new one.
      database.onclose = () => {
        database = opening = undefined
      }
      return database
    })()
    opening.catch(() => {
      opening = undefined
    })
    return opening
  }

  return {
    /** All entries whose keys begin with `prefix`. */
    async all(prefix: string): Promise<[key: string, value: T][]> {
      const store = (await openDatabase()).transaction('kept').objectStore('kept')
      const range = IDBKeyRange.bound(prefix, `${prefix}\uffff`)
      const [keys, values] = await Promise.all([resultOf(store.getAllKeys(range)), resultOf(store.getAll(range))])
      return keys.map((key, i) => [String(key), values[i]])
    },

    /**
     * Stores each value, or deletes its key if the value is undefined, in one transaction. Once the database is open, this also works
     * while the page unloads.
     */
    async write(changes: readonly (readonly [key: string, value: T | undefined])[]): Promise<void> {
      // If the database is open there must be no await: a page that unloads does not run later microtasks.
      const transaction = (database ?? (await openDatabase())).transaction('kept', 'readwrite')
      const store = transaction.objectStore('kept')
      for (const [key, value] of changes) value === undefined ? store.delete(key) : store.put(value, key)
      transaction.commit?.()
      await new Promise<void>((resolve, reject) => {
        transaction.oncomplete = () => resolve()
        transaction.onabort = transaction.onerror = () => reject(transaction.error)
      })
    },
  }
}
