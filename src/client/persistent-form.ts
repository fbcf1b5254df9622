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
 * A form whose text outlives the page: a session that ran out, a visit to the bank's or the card's page, a reload. Kept in this tab
 * under `key` until `forget`.
 */
export function usePersistentForm<T extends FieldValues>(key: string, defaults: DefaultValues<T>) {
  const form = useForm<T>({ defaultValues: { ...defaults, ...load(key) }, shouldFocusError: true })
  const { watch } = form
  useEffect(() => {
    const { unsubscribe } = watch(values => {
      try {
        sessionStorage.setItem(key, JSON.stringify(values))
      } catch {
        // No storage: the text lives as long as the page.
      }
    })
    return unsubscribe
  }, [watch, key])
  return {
    ...form,
    /** Nothing is kept anymore; the form is empty again, or as it was saved. */
    forget: (saved: DefaultValues<T> = defaults) => {
      form.reset(saved as T)
      try {
        sessionStorage.removeItem(key)
      } catch {
        // No storage: nothing was kept.
      }
    },
  }
}
