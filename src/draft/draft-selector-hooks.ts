import { useRef } from 'react'
import type { Draft } from '../../modules/folders/contract.ts'
import { useStoreSelector } from '../ui/store-selector.ts'
import type { AutosavingDraftStore } from './autosaved-draft.ts'

/**
 * Subscribes a component to a part of the draft. `select` must not create the object that it returns, because a new object on each call
 * would cause an endless loop of renders.
 */
export const useDraftSelector = <T>(autosavedDraft: AutosavingDraftStore, select: (draft: Draft) => T): T =>
  useStoreSelector(autosavedDraft.$draft, select)

/** Like `useDraftSelector`, for a filtered list: the returned array stays the same object while it contains the same items. */
export function useDraftListSelector<T>(autosavedDraft: AutosavingDraftStore, list: (draft: Draft) => readonly T[]): readonly T[] {
  const last = useRef<readonly T[]>([])
  return useDraftSelector(autosavedDraft, draft => {
    const now = list(draft)
    if (now.length !== last.current.length || now.some((item, i) => item !== last.current[i])) last.current = now
    return last.current
  })
}

export const useIsDraftLoading = (autosavedDraft: AutosavingDraftStore) =>
  useStoreSelector(autosavedDraft.$saveState, saved => saved === 'loading')
