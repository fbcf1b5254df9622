const answer = <T>(request: IDBRequest<T>) =>
  new Promise<T>((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })

/**
 * Things of one kind that this browser keeps, by a key, in a database of their own: for what is too large or changes too often for
 * localStorage, whose writes hold up the page. Every call rejects where the browser keeps nothing.
 */
export function indexedDbStore<T>(kind: string) {
  let open: IDBDatabase | undefined
  let opening: Promise<IDBDatabase> | undefined

  function opened() {
    opening ??= (async () => {
      const request = indexedDB.open(kind, 1)
      request.onupgradeneeded = () => request.result.createObjectStore('kept')
      open = await answer(request)
      // Cleared by its owner, or by a browser that needs the room: the next call begins a new one.
      open.onclose = () => {
        open = opening = undefined
      }
      return open
    })()
    opening.catch(() => {
      opening = undefined
    })
    return opening
  }

  return {
    /** All whose keys begin so. */
    async all(prefix: string): Promise<[key: string, value: T][]> {
      const store = (await opened()).transaction('kept').objectStore('kept')
      const range = IDBKeyRange.bound(prefix, `${prefix}\uffff`)
      const [keys, values] = await Promise.all([answer(store.getAllKeys(range)), answer(store.getAll(range))])
      return keys.map((key, i) => [String(key), values[i]])
    },

    /** Puts or, where there is no value, removes: all of it or nothing. What is written while the page goes is kept, too, once another call was. */
    async write(changes: readonly (readonly [key: string, value: T | undefined])[]): Promise<void> {
      // No wait where it is open: a page that goes has no other moment.
      const transaction = (open ?? (await opened())).transaction('kept', 'readwrite')
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
