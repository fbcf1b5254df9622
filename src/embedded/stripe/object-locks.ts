import type { DecodedForm } from './decode-form.ts'

/** The objects that a request changes: the one named in its path, and the charge or payment intent to which its parameters refer. */
function objectsOf(path: string, form: DecodedForm): string[] {
  const [, , , id] = path.split('/')
  const named = [id, form.charge, form.source_transaction, form.payment_intent]
  return named.filter(name => typeof name === 'string' && name.includes('_')) as string[]
}

/**
 * Stripe lets only one request at a time change an object; a concurrent one waits and then fails with 429 `lock_timeout`. In the sandbox
 * the concurrent request fails immediately.
 */
export function newFailFastObjectLocks() {
  const locked = new Set<string>()
  return {
    /** Locks the objects that the request changes. @returns a function that unlocks them; null if another request holds a lock */
    lock(path: string, form: DecodedForm): (() => void) | null {
      const objects = objectsOf(path, form)
      if (objects.some(object => locked.has(object))) return null
      for (const object of objects) locked.add(object)
      return () => {
        for (const object of objects) locked.delete(object)
      }
    },
  }
}
