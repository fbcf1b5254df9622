import type { ReadableAtom } from 'nanostores'
import { useRef } from 'react'
import type { Draft } from '../../modules/folders/contract.ts'
import { useDeferredStore } from '../ui/deferred-store.ts'
import type { DraftKeeper } from './draft.ts'

/** A part of the draft; `part` gives what lies in it, nothing made anew. */
export const useDraft = <T>(keeper: DraftKeeper, part: (draft: Draft) => T): T => useDeferredStore(keeper.$draft, part)

/** Things of the draft as a list that stays the same one for as long as it holds the same things. */
export function useDraftList<T>(keeper: DraftKeeper, list: (draft: Draft) => readonly T[]): readonly T[] {
  const last = useRef<readonly T[]>([])
  return useDraft(keeper, draft => {
    const now = list(draft)
    if (now.length !== last.current.length || now.some((it, i) => it !== last.current[i])) last.current = now
    return last.current
  })
}

/** The draft is not there yet. */
export const useLoading = (keeper: DraftKeeper) => useDeferredStore(keeper.$saved, saved => saved === 'loading')

/** Whether this is the one that a store names. */
export const useIsIt = (store: ReadableAtom<string | undefined>, id: string) => useDeferredStore(store, it => it === id)
