import type { Form } from './form-encoding.ts'

/** Which objects a request changes: the one that its path names, and the charge that money is taken from. */
function objectsOf(path: string, form: Form): string[] {
  const [, , , id] = path.split('/')
  const named = [id, form.charge, form.source_transaction, form.payment_intent]
  return named.filter(name => typeof name === 'string' && name.includes('_')) as string[]
}

/** Stripe lets one request at a time change an object; the next waits, and gives up with 429 `lock_timeout`. Here it gives up at once. */
export function newObjectLocks() {
  const locked = new Set<string>()
  return {
    /** Locks what the request changes; null where another request is changing it. @returns what unlocks it */
    lock(path: string, form: Form): (() => void) | null {
      const objects = objectsOf(path, form)
      if (objects.some(object => locked.has(object))) return null
      for (const object of objects) locked.add(object)
      return () => {
        for (const object of objects) locked.delete(object)
      }
    },
  }
}
