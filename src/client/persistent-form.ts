import { useEffect } from 'react'
import { type DefaultValues, type FieldValues, useForm } from 'react-hook-form'

const load = (key: string): object => {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? '{}')
  } catch {
    return {}
  }
}

/**
 * A form (react-hook-form) whose values survive an expired session, a visit to the bank's page and a reload: they are stored under `key` in
 * this tab's sessionStorage until `forget` is called.
 */
export function usePersistentForm<T extends FieldValues>(key: string, defaults: DefaultValues<T>) {
  const form = useForm<T>({ defaultValues: { ...defaults, ...load(key) }, shouldFocusError: true })
  const { watch } = form
  useEffect(() => {
    const { unsubscribe } = watch(values => {
      try {
        sessionStorage.setItem(key, JSON.stringify(values))
      } catch {
        // Without storage, the text is lost when the page closes.
      }
    })
    return unsubscribe
  }, [watch, key])
  return {
    ...form,
    /** Deletes the stored values and resets the form to `saved`, or to its defaults. */
    forget: (saved: DefaultValues<T> = defaults) => {
      form.reset(saved as T)
      try {
        sessionStorage.removeItem(key)
      } catch {
        // Without storage, there is nothing to delete.
      }
    },
  }
}
