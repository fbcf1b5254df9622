import { atom } from 'nanostores'
import type { Draft } from '../../modules/folders/contract.ts'
import { ApiError } from '../client/api.ts'
import { equal, merge, nothing } from './merge.ts'

/** `kept`: not on the server yet, but on this device; it goes there by itself. `stopped`: the server will not take it anymore. */
export type Saved = 'loading' | 'saved' | 'typing' | 'saving' | 'kept' | 'stopped'
export interface Stored {
  revision: number
  draft: Draft | null
}
/** What a device keeps: what is written, and what the server had when it was begun. */
export interface Copy {
  base: Draft
  current: Draft
}

/** Where a draft lives: the server, this device, and the other tabs. */
export interface Shelf {
  get(): Promise<Stored>
  /** @throws ApiError 409 `draft-changed` where another tab has saved since */
  put(revision: number, draft: Draft): Promise<{ revision: number }>
  /** What this device could not save, of tabs that are no more. */
  copies(): Promise<Copy[]>
  /** Puts this in the place of what the device has of this tab, soon. */
  keep(copy: Copy | null): void
  /** Tells the other tabs what revision there is now. */
  tell(revision: number): void
  /** There is no draft on the server anymore, as after a delivery. */
  ended?(): void
  /** Calls when it is time: `later` milliseconds from now, or when the connection is back. */
  wait(later: number, then: () => void): () => void
}

const PAUSE = 800
const AGAIN = 5000

/**
 * A review that saves itself while it is written. What is not on the server yet lies on this device, so nothing typed is lost by a
 * reload, a dead connection or an ended session. Two tabs that write at once are joined (`merge`), and `joined` says so.
 */
export function createDraft(shelf: Shelf) {
  const $draft = atom<Draft>(nothing)
  const $saved = atom<Saved>('loading')
  const $joined = atom(false)
  const $problem = atom<string | undefined>(undefined)
  let base: Draft = nothing
  let revision = 0
  let flying: Promise<void> | undefined
  let cancel = () => {}

  const dirty = () => !equal($draft.get(), base)
  function later(ms: number) {
    cancel()
    cancel = shelf.wait(ms, () => void save())
  }
  const keep = () => shelf.keep(dirty() ? { base, current: $draft.get() } : null)

  /** Takes in what the server has, and joins it with what is here. */
  function join(stored: Stored) {
    const theirs = stored.draft ?? nothing
    const before = $draft.get()
    const joined = merge(base, before, theirs)
    if (dirty() && !equal(joined, before)) $joined.set(true)
    base = theirs
    revision = stored.revision
    if (!equal(joined, before)) $draft.set(joined)
    keep()
  }

  /** What is under way. Without a line each try would only flicker: what is kept here stays said until it has arrived. */
  const doing = (what: 'typing' | 'saving') => {
    if ($saved.get() !== 'kept') $saved.set(what)
  }

  async function send() {
    doing('saving')
    const sent = $draft.get()
    try {
      const answer = await shelf.put(revision, sent)
      revision = answer.revision
      base = sent
      $problem.set(undefined)
      shelf.tell(revision)
    } catch (error) {
      if (error instanceof ApiError && error.code === 'draft-changed') {
        join(await shelf.get())
        if (dirty()) await send()
        return
      }
      throw error
    }
  }

  async function sendAll() {
    try {
      while (dirty()) await send()
      $saved.set('saved')
    } catch (error) {
      const final = error instanceof ApiError && [403, 404, 409, 422].includes(error.status)
      $problem.set(error instanceof ApiError && error.status !== 401 && error.status < 500 ? error.message : undefined)
      $saved.set(final ? 'stopped' : 'kept')
      if (final) shelf.ended?.()
      else later(AGAIN)
    }
    keep()
  }

  /** Saves now, if there is anything to save. Never rejects; `$saved` tells how it went. */
  function save(): Promise<void> {
    cancel()
    flying ??= sendAll().finally(() => {
      flying = undefined
    })
    return flying
  }

  return {
    $draft,
    $saved,
    $joined,
    $problem,

    /** Loads what there is: the server's, joined with what this device could not save last time. */
    async load() {
      const [stored, copies] = await Promise.all([shelf.get(), shelf.copies()])
      base = stored.draft ?? nothing
      revision = stored.revision
      $draft.set(copies.reduce((mine, copy) => merge(copy.base, copy.current, mine), base))
      keep()
      $saved.set('saved')
      if (dirty()) await save()
    },

    change(update: (draft: Draft) => Draft) {
      const next = update($draft.get())
      if (equal(next, $draft.get())) return
      $draft.set(next)
      keep()
      if ($saved.get() !== 'saving') doing('typing')
      later(PAUSE)
    },

    save,

    /** Another tab, or another device, may have saved. Where nothing is unsaved here, its text comes in; otherwise the next save joins both. */
    async heard(theirs = Number.POSITIVE_INFINITY) {
      if (theirs <= revision || flying || $saved.get() === 'loading') return
      if (dirty()) return save()
      try {
        const stored = await shelf.get()
        // A review that was delivered has no draft anymore; what is here stays.
        if (stored.revision > revision) join(stored)
        else if (stored.revision < revision) shelf.ended?.()
      } catch {
        // The next save finds out.
      }
    },

    stop: () => cancel(),
    /** Delivered: nothing of it stays on this device. */
    forget() {
      cancel()
      shelf.keep(null)
    },
  }
}
export type DraftKeeper = ReturnType<typeof createDraft>
