import { atom } from 'nanostores'
import type { Draft } from '../../modules/folders/contract.ts'
import { ApiError } from '../client/api.ts'
import { areDraftsEqual, emptyDraft, mergeDrafts } from './merge-drafts.ts'
import { repairDraft } from './repair-draft.ts'

/**
 * `typing`: the changes are saved at the next pause in typing. `retrying`: saving failed, so the changes are only on this device, and the
 * store tries again automatically. `stopped`: the server permanently refuses this draft, for instance because the review was delivered.
 */
export type SaveState = 'loading' | 'saved' | 'typing' | 'saving' | 'retrying' | 'stopped'
/** The draft on the server; `draft` is null if nothing has been saved yet. */
export interface ServerDraft {
  revision: number
  draft: Draft | null
}
/** Unsaved changes on this device: `current` is the draft as edited here, `base` is the server's draft that the edits started from. */
export interface UnsavedDraft {
  base: Draft
  current: Draft
}

/** The places where a draft is stored and announced: the server, this device, and the other tabs. */
export interface ServerAndDeviceDraftStorage {
  fetchDraft(): Promise<ServerDraft>
  /** @throws ApiError 409 `draft-changed` if another tab or device has saved in the meantime */
  saveDraft(revision: number, draft: Draft): Promise<{ revision: number }>
  /** Unsaved copies that closed or crashed tabs left on this device. */
  loadCopies(): Promise<UnsavedDraft[]>
  /** Replaces this tab's copy on the device after a short delay; null removes the copy. */
  writeCopy(copy: UnsavedDraft | null): void
  /** Announces the server's newest revision to the other tabs. */
  announceRevision(revision: number): void
  /** Called when the server no longer has this draft or permanently refuses it, for example after a delivery. */
  onDraftGone?(): void
  /** Calls `then` once: after `delay` ms, or earlier if the connection is restored. Returns a function that cancels the call. */
  schedule(delay: number, then: () => void): () => void
}

const SAVE_DEBOUNCE_MS = 800
const SAVE_RETRY_MS = 5000

/**
 * A review draft that saves itself while it is being edited. Changes that are not on the server yet are stored on this device, so that a
 * reload, a lost connection or an expired login session loses nothing. Changes from two tabs are merged (`mergeDrafts`), and `$wasMerged`
 * becomes true.
 */
export function createAutosavedDraft(storage: ServerAndDeviceDraftStorage) {
  const $draft = atom<Draft>(emptyDraft)
  const $saveState = atom<SaveState>('loading')
  const $wasMerged = atom(false)
  const $problem = atom<string | undefined>(undefined)
  const $isSessionGone = atom(false)
  let serverDraft: Draft = emptyDraft
  let revision = 0
  /** Drafts that were sent but got no response, so the server may have saved one of them. */
  let unconfirmedDrafts: Draft[] = []
  let saveInProgress: Promise<void> | undefined
  let cancelScheduledSave = () => {}
  let isStopped = false

  const hasUnsavedChanges = () => !areDraftsEqual($draft.get(), serverDraft)
  /** Even a draft without unsaved changes is sent if the server may have saved a version that has since been undone. */
  const needsSave = () => unconfirmedDrafts.length > 0 || hasUnsavedChanges()
  function scheduleSave(ms: number) {
    cancelScheduledSave()
    cancelScheduledSave = storage.schedule(ms, () => void save())
  }
  const keepCopy = () => storage.writeCopy(hasUnsavedChanges() ? { base: serverDraft, current: $draft.get() } : null)

  function mergeServerDraft(stored: ServerDraft) {
    const storedDraft = stored.draft ?? emptyDraft
    // The server saved a draft that this tab had sent, and only the response was lost. All differences from it are newer changes made here.
    if (unconfirmedDrafts.some(sent => areDraftsEqual(sent, storedDraft))) serverDraft = storedDraft
    unconfirmedDrafts = []
    const before = $draft.get()
    const merged = mergeDrafts(serverDraft, before, storedDraft)
    if (hasUnsavedChanges() && !areDraftsEqual(merged, before)) $wasMerged.set(true)
    serverDraft = storedDraft
    revision = stored.revision
    if (!areDraftsEqual(merged, before)) $draft.set(merged)
    keepCopy()
  }

  /** After a failed save the state stays `retrying` until a save succeeds; otherwise the message would flicker on every retry. */
  const setSaveState = (state: 'typing' | 'saving') => {
    if ($saveState.get() !== 'retrying') $saveState.set(state)
  }

  async function send() {
    setSaveState('saving')
    const sentDraft = $draft.get()
    try {
      const answer = await storage.saveDraft(revision, sentDraft)
      revision = answer.revision
      serverDraft = sentDraft
      unconfirmedDrafts = []
      $problem.set(undefined)
      storage.announceRevision(revision)
    } catch (error) {
      if (error instanceof ApiError && error.code === 'draft-changed') {
        mergeServerDraft(await storage.fetchDraft())
        return
      }
      const isRefused = error instanceof ApiError && error.status < 500
      if (!isRefused && unconfirmedDrafts.at(-1) !== sentDraft) unconfirmedDrafts.push(sentDraft)
      throw error
    }
  }

  async function sendAll() {
    try {
      while (needsSave()) await send()
      $saveState.set('saved')
    } catch (error) {
      const isFinal = error instanceof ApiError && [403, 404, 409, 422].includes(error.status)
      $problem.set(error instanceof ApiError && error.status !== 401 && error.status < 500 ? error.message : undefined)
      if (error instanceof ApiError && error.status === 404) $isSessionGone.set(true)
      $saveState.set(isFinal ? 'stopped' : 'retrying')
      if (isFinal) storage.onDraftGone?.()
      else if (!isStopped) scheduleSave(SAVE_RETRY_MS)
    }
    keepCopy()
  }

  /**
   * Saves now if there are unsaved changes. Never rejects: the outcome is in `$saveState` and `$problem`. Does nothing until the draft is
   * loaded, because the device may hold unsaved copies that this tab does not have yet, and saving deletes them.
   */
  function save(): Promise<void> {
    if ($saveState.get() === 'loading') return Promise.resolve()
    cancelScheduledSave()
    saveInProgress ??= sendAll().finally(() => {
      saveInProgress = undefined
    })
    return saveInProgress
  }

  return {
    $draft,
    $saveState,
    $wasMerged,
    $problem,
    /** Whether the session is no longer this instructor's: the player withdrew it, or the instructor declined it in another tab. */
    $isSessionGone,

    /**
     * Loads the server's draft, merges this device's unsaved copies into it, and repairs it. Rejects if the server refuses or cannot be
     * reached.
     */
    async load() {
      const [stored, copies] = await Promise.all([storage.fetchDraft(), storage.loadCopies()])
      serverDraft = stored.draft ?? emptyDraft
      revision = stored.revision
      $draft.set(repairDraft(copies.reduce((mine, copy) => mergeDrafts(copy.base, copy.current, mine), serverDraft)))
      keepCopy()
      $saveState.set('saved')
      if (hasUnsavedChanges()) await save()
    },

    change(update: (draft: Draft) => Draft) {
      const next = update($draft.get())
      if (areDraftsEqual(next, $draft.get())) return
      $draft.set(next)
      keepCopy()
      if ($saveState.get() !== 'saving') setSaveState('typing')
      scheduleSave(SAVE_DEBOUNCE_MS)
    },

    save,

    /**
     * Called when another tab has saved the revision `theirs`, or, without a number, when another device may have saved one. Loads the
     * server's draft if there are no unsaved changes; otherwise saves, which merges both drafts.
     */
    async onRevisionElsewhere(theirs = Number.POSITIVE_INFINITY) {
      if (theirs <= revision || saveInProgress || $saveState.get() === 'loading') return
      if (needsSave()) return save()
      try {
        const stored = await storage.fetchDraft()
        // A lower revision means that the review was delivered and its draft deleted. This tab keeps its text.
        if (stored.revision > revision) mergeServerDraft(stored)
        else if (stored.revision < revision) storage.onDraftGone?.()
      } catch {
        // The server cannot be reached. If its draft has changed, the next save fails with `draft-changed` and merges the two drafts.
      }
    },

    /** Stops scheduling saves. A save in progress continues, but is not retried. */
    stop() {
      isStopped = true
      cancelScheduledSave()
    },
    /** Deletes this tab's copy from the device, once the review has been delivered. */
    forget() {
      cancelScheduledSave()
      storage.writeCopy(null)
    },
  }
}
export type AutosavingDraftStore = ReturnType<typeof createAutosavedDraft>
