import { vi } from 'vitest'
import { ApiError } from '../../src/client/api.ts'
import { createAutosavedDraft, type ServerAndDeviceDraftStorage, type ServerDraft } from '../../src/draft/autosaved-draft.ts'

interface FakeBackend {
  /** The draft on the server, which all tabs share. */
  stored: ServerDraft
  /** The error with which every request fails; undefined while the connection works. */
  requestError: Error | undefined
  /** Whether the server saves drafts, but its responses are lost. */
  losesResponses: boolean
}
const newBackend = (): FakeBackend => ({ stored: { revision: 0, draft: null }, requestError: undefined, losesResponses: false })

/** The server and the connection to it. */
export const fakeBackend = newBackend()
export const resetFakeBackend = () => void Object.assign(fakeBackend, newBackend())

/** The unsaved copies on each device, by tab number. */
const devices = new Map<string, Map<number, string>>()
/** The unsaved copies on a device, as JSON. */
export const unsavedCopiesOn = (device: string) => [...(devices.get(device)?.values() ?? [])].join()
const openTabs = new Set<number>()
let tabCount = 0

/** Opens the draft in a new tab of a device. `kill` closes the tab without saving. */
export function openFakeTab(device: string) {
  const scheduled: (() => void)[] = []
  const ownNumber = ++tabCount
  let adopted: number[] = []
  openTabs.add(ownNumber)
  const copies = devices.get(device) ?? new Map<number, string>()
  devices.set(device, copies)
  const storage: ServerAndDeviceDraftStorage = {
    fetchDraft: async () => {
      if (fakeBackend.requestError) throw fakeBackend.requestError
      return structuredClone(fakeBackend.stored)
    },
    saveDraft: async (revision, draft) => {
      if (fakeBackend.requestError) throw fakeBackend.requestError
      if (revision !== fakeBackend.stored.revision) throw new ApiError('changed', 409, 'draft-changed')
      fakeBackend.stored = { revision: revision + 1, draft: structuredClone(draft) }
      if (fakeBackend.losesResponses) throw new TypeError('Failed to fetch')
      return { revision: fakeBackend.stored.revision }
    },
    loadCopies: async () => {
      const copiesOfClosedTabs = [...copies].filter(([number]) => !openTabs.has(number))
      adopted = copiesOfClosedTabs.map(([number]) => number)
      return copiesOfClosedTabs.map(([, copy]) => JSON.parse(copy))
    },
    writeCopy(copy) {
      if (copy) copies.set(ownNumber, JSON.stringify(copy))
      else copies.delete(ownNumber)
      for (const number of adopted.splice(0)) copies.delete(number)
    },
    announceRevision: () => {},
    onDraftGone: vi.fn(),
    schedule: (_, then) => {
      scheduled.push(then)
      return () => scheduled.splice(scheduled.indexOf(then), 1)
    },
  }
  const draft = createAutosavedDraft(storage)
  return Object.assign(draft, {
    scheduled,
    onDraftGone: storage.onDraftGone!,
    kill: () => {
      openTabs.delete(ownNumber)
      draft.stop()
    },
  })
}
