import { useEffect } from 'react'
import { type DefaultValues, type FieldValues, type Path, type UseFormReturn, useForm } from 'react-hook-form'

const load = (key: string): object => {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? '{}')
  } catch {
    return {}
  }
}

function deleteStored(key: string) {
  try {
    sessionStorage.removeItem(key)
  } catch {
    // Without storage, there is nothing to delete.
  }
}

type ResettableForm<T extends FieldValues> = Pick<UseFormReturn<T>, 'getValues' | 'setValue' | 'reset'>

/**
 * Marks the form as saved. A field that was edited during the request keeps the edit, as unsaved; all other fields get their saved values.
 * `sent`: the values in the request.
 * @returns whether a field was edited during the request
 */
export function resetToSavedKeepingNewEdits<T extends FieldValues>(form: ResettableForm<T>, sent: T, saved: T): boolean {
  const current = form.getValues()
  const isEdited = (name: keyof T) => JSON.stringify(current[name]) !== JSON.stringify(sent[name])
  const names = Object.keys(saved) as Path<T>[]
  if (!names.some(isEdited)) {
    form.reset(saved)
    return false
  }
  form.reset(saved, { keepValues: true })
  for (const name of names) if (!isEdited(name) && current[name] !== saved[name]) form.setValue(name, saved[name])
  return true
}

/**
 * A form (react-hook-form) whose values survive an expired session, a visit to the bank's page and a reload: they are stored under `key` in
 * this tab's sessionStorage until `forget` or `markAsSaved` deletes them.
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
    /** Deletes the stored values and resets the form to its defaults. */
    forget: () => {
      form.reset(defaults as T)
      deleteStored(key)
    },
    /** Calls `resetToSavedKeepingNewEdits`, and deletes the stored values unless a field was edited while `sent` was being saved. */
    markAsSaved: (sent: T, saved: T) => {
      if (!resetToSavedKeepingNewEdits(form, sent, saved)) deleteStored(key)
    },
  }
}
