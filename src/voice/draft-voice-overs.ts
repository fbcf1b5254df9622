import { atom, type ReadableAtom } from 'nanostores'
import { v7 } from 'uuid'
import type { Draft } from '../../modules/folders/contract.ts'
import type { Voice, VoiceWithSignedUrl } from '../../modules/reviews/contract.ts'
import { ApiError, callApi } from '../client/api.ts'
import { sendWithTimeout } from '../client/with-timeout.ts'
import type { AutosavingDraftStore } from '../draft/autosaved-draft.ts'
import { folderQueryInput } from '../folders/folder-page-urls-and-query.ts'
import { fetchMedia, MediaFetchError } from '../player/clip-source.ts'
import { readWithRenewedUrls } from '../player/read-with-renewed-urls.ts'
import {
  appendVoicePartTitleAndDrawingsToNote,
  draftWithDetachedVoiceOver,
  draftWithoutVoiceOver,
  draftWithVoiceOver,
  draftWithVoicePart,
  type VoicePartForDraft,
} from './add-and-remove-voice-overs-in-draft.ts'
import { finalizeRecording } from './make-recording-playable.ts'
import { createRecordingStorage, type RecordingStorage, type StoredRecording } from './recording-storage.ts'
import { extractVoicePartActionsAndDrawings } from './voice-parts.ts'

/** `here`: on this device only; `saved`: in the object store; `refused`: the server permanently rejects the upload. */
export type VoiceUploadState = 'here' | 'sending' | 'saved' | 'refused'

const UPLOAD_RETRY_MS = 5000
const REQUEST_TIMEOUT_MS = 30_000
/** The timeout of an upload is `REQUEST_TIMEOUT_MS` plus the transfer time of the file at this rate. */
const SLOWEST_BYTES_PER_SECOND = 5000

/** Stores the voice-overs of a draft review on this device, adds them to the draft, and uploads them with retries. */
export function createDraftVoiceOvers({
  folder,
  session,
  autosavedDraft,
  publishedVoices,
  storage = createRecordingStorage(),
}: {
  folder: string
  session: string
  autosavedDraft: Pick<AutosavingDraftStore, '$draft' | '$saveState' | 'change'>
  /** Returns the uploaded voice-overs with their URLs, from the session as the screen last fetched it. */
  publishedVoices: () => readonly VoiceWithSignedUrl[]
  storage?: RecordingStorage
}) {
  const $uploadStates = atom<Readonly<Record<string, VoiceUploadState>>>({})
  /** Recordings on this device that are not in the draft because of a crash. */
  const $recoverable = atom<readonly StoredRecording[]>([])
  /** Object URLs of sounds on this device, by voice-over id. */
  const urls = new Map<string, string>()
  /** Signed URLs that `sound` has returned. If it is called again, they may have expired. */
  const usedUrls = new Set<string>()
  /** The uploads in progress, by voice-over id. */
  const uploads = new Map<string, Promise<void>>()
  let retryTimer: ReturnType<typeof setTimeout> | undefined
  let isStopped = false

  const setUploadState = (id: string, state: VoiceUploadState) => $uploadStates.set({ ...$uploadStates.get(), [id]: state })
  const inDraft = (id: string) => (autosavedDraft.$draft.get().voices ?? []).some(v => v.id === id)

  /**
   * Uploads a recording to the object store; a failed upload is retried after `UPLOAD_RETRY_MS`. If an upload of the recording is already
   * in progress, this waits for that one.
   */
  async function upload(recording: StoredRecording) {
    const { id } = recording.voice
    const running = uploads.get(id)
    if (running) return running
    if (isStopped) return
    const upload = sendSound(recording).finally(() => uploads.delete(id))
    uploads.set(id, upload)
    return upload
  }
  async function sendSound(recording: StoredRecording) {
    const { id, bytes, type } = recording.voice
    // A retry shows "uploading" only once the server responds; otherwise the label would flicker as long as there is no connection.
    if ($uploadStates.get()[id] !== 'here') setUploadState(id, 'sending')
    try {
      const file = await storage.sound(recording.voice)
      if (!file) throw new Error('not on this device')
      const input = { ...folderQueryInput(folder, session), body: { id, bytes, type } }
      const { url } = await sendWithTimeout(REQUEST_TIMEOUT_MS, signal => callApi('POST /api/folders/{folder}/voices', input, { signal }))
      setUploadState(id, 'sending')
      const limit = REQUEST_TIMEOUT_MS + (file.size / SLOWEST_BYTES_PER_SECOND) * 1000
      const reply = await sendWithTimeout(limit, signal =>
        fetch(url, { method: 'PUT', body: file, headers: { 'content-type': type }, signal }),
      )
      if (!reply.ok) throw new Error(`The store answers ${reply.status}.`)
      await storage.put({ ...recording, state: 'sent' })
      setUploadState(id, 'saved')
    } catch (error) {
      const isFinal = error instanceof ApiError && [403, 404, 409, 422].includes(error.status)
      setUploadState(id, isFinal ? 'refused' : 'here')
      if (!isFinal) scheduleRetry()
    }
  }
  function scheduleRetry() {
    clearTimeout(retryTimer)
    if (!isStopped) retryTimer = setTimeout(uploadAll, UPLOAD_RETRY_MS)
  }
  async function uploadAll() {
    for (const recording of await storage.all(session))
      if (recording.state === 'made' && inDraft(recording.voice.id)) await upload(recording)
  }

  /**
   * Adds a recording to the draft, deletes the sounds that it replaces from this device, and starts its upload.
   * @returns false if the recording has no sound; it is then deleted
   */
  async function addToDraft(recording: StoredRecording, replacedId?: string): Promise<boolean> {
    const finished = recording.state === 'recording' ? await finalizeRecording(storage, recording) : recording
    $recoverable.set($recoverable.get().filter(f => f.voice.id !== recording.voice.id))
    if (!finished) {
      await storage.remove(session, recording.voice.id)
      return false
    }
    const before = finished.note && autosavedDraft.$draft.get().notes.find(n => n.id === finished.note!.id)?.voice
    autosavedDraft.change(draft => draftWithVoiceOver(draft, finished, replacedId))
    for (const id of [replacedId, before]) if (id) await removeSound(id)
    void upload(finished)
    return true
  }

  /**
   * Replaces a voice-over of the draft with parts of it, or their retakes. The sound is copied, not re-encoded.
   * @throws Error with a message for the instructor if no part has sound, or the sound does not load
   */
  async function replaceByParts(voice: Voice, parts: readonly VoicePartForDraft[]) {
    const [{ remuxToMp4 }, whole] = await Promise.all([import('./remux-recording.ts'), storedSound(voice)])
    const newRecordings: StoredRecording[] = []
    const pinned: { voice: Voice; part: VoicePartForDraft }[] = []
    for (const part of parts) {
      if (part.retake) {
        pinned.push({ voice: part.retake, part })
        continue
      }
      const cut = await remuxToMp4(whole, part)
      if (!cut) continue
      const { file, ...sound } = cut
      const partVoice = { ...extractVoicePartActionsAndDrawings(voice, part), ...sound, id: v7(), bytes: file.size }
      const actions = partVoice.actions.filter(([ms]) => ms <= partVoice.milliseconds)
      const note = part.note && appendVoicePartTitleAndDrawingsToNote(part.note, part)
      const recording: StoredRecording = { voice: { ...partVoice, actions }, session, state: 'made', note, began: Date.now() }
      await storage.finish(recording, file)
      newRecordings.push(recording)
      pinned.push({ voice: recording.voice, part })
    }
    if (!pinned.length) throw new Error('These parts have no sound. Choose longer ones.')
    autosavedDraft.change(draft =>
      pinned.reduce((next, { voice, part }) => draftWithVoicePart(next, voice, part), draftWithoutVoiceOver(draft, voice.id)),
    )
    await removeSound(voice.id)
    for (const recording of newRecordings) void upload(recording)
  }
  /**
   * Returns an object URL of a voice-over's sound if it is stored on this device, otherwise a signed URL of the object store.
   * @throws Error with a message that says what the instructor can do
   */
  async function sound(voice: Voice): Promise<string> {
    const known = urls.get(voice.id)
    if (known) return known
    const storedSoundFile = await storage.sound(voice)
    if (storedSoundFile) {
      const url = URL.createObjectURL(storedSoundFile)
      urls.set(voice.id, url)
      return url
    }
    const published = publishedVoices().find(s => s.id === voice.id)?.url
    if (published && !usedUrls.has(published)) {
      usedUrls.add(published)
      return published
    }
    const fresh = await callApi('GET /api/folders/{folder}', folderQueryInput(folder, session))
    const source = fresh.session?.voices.find(s => s.id === voice.id)
    if (!source?.url)
      throw new Error('This voice-over is still on the device where it was recorded. Open the review there once, and it uploads.')
    return source.url
  }
  async function storedSound(voice: Voice): Promise<Blob> {
    const storedSoundFile = await storage.sound(voice)
    if (storedSoundFile) return storedSoundFile
    // The first URL may have expired; the second call of `sound` returns a new one.
    const renew = () => sound(voice)
    return readWithRenewedUrls(await sound(voice), renew, async url => (await fetchMedia(url, {})).blob()).catch(error => {
      if (!(error instanceof MediaFetchError)) throw error
      throw new Error('This voice-over did not load. Check your connection and try again.')
    })
  }

  /** Removes a sound from this device, and revokes its object URL. */
  async function removeSound(id: string) {
    const url = urls.get(id)
    if (url) URL.revokeObjectURL(url)
    urls.delete(id)
    await storage.remove(session, id)
  }

  async function deleteVoice(id: string) {
    $recoverable.set($recoverable.get().filter(f => f.voice.id !== id))
    if (inDraft(id)) autosavedDraft.change(draft => draftWithoutVoiceOver(draft, id))
    await removeSound(id)
  }

  /** Checks the recordings on this device once the draft is loaded: uploads them, deletes them, or offers them for recovery. */
  async function load() {
    const heldLocks = new Set((await navigator.locks?.query())?.held?.map(lock => lock.name))
    const recoverableRecordings: StoredRecording[] = []
    for (const recording of await storage.all(session)) {
      const { id } = recording.voice
      // Another tab is currently recording this voice-over.
      if (heldLocks.has(`voice:${id}`)) continue
      if (inDraft(id)) setUploadState(id, recording.state === 'sent' ? 'saved' : 'here')
      else if (recording.state === 'sent') await storage.remove(session, id)
      else recoverableRecordings.push(recording)
    }
    $recoverable.set(recoverableRecordings)
    await uploadAll()
  }

  const online = () => void uploadAll()
  return {
    $uploadStates: $uploadStates as ReadableAtom<Readonly<Record<string, VoiceUploadState>>>,
    $recoverable: $recoverable as ReadableAtom<readonly StoredRecording[]>,
    storage,
    load,
    addToDraft,
    replaceByParts,
    deleteVoice,
    sound,

    /** Moves a voice-over to a note, or to the whole review if there is no note. */
    pin: (voice: Voice, note: Draft['notes'][number] | undefined) =>
      autosavedDraft.change(draft => draftWithVoiceOver(draftWithDetachedVoiceOver(draft, voice.id), { voice, note })),

    /**
     * Uploads the remaining recordings.
     * @returns a voice-over that is still not uploaded; undefined if all are uploaded or permanently rejected
     */
    async uploadRemaining(): Promise<Voice | undefined> {
      clearTimeout(retryTimer)
      await uploadAll()
      const states = $uploadStates.get()
      return (autosavedDraft.$draft.get().voices ?? []).find(v => states[v.id] === 'here' || states[v.id] === 'sending')
    },

    /** Deletes the session's recordings from this device, after the delivery. */
    async forget() {
      isStopped = true
      clearTimeout(retryTimer)
      for (const recording of await storage.all(session)) await storage.remove(session, recording.voice.id)
    },

    /** Retries uploads when the connection is restored. Returns a function that stops all retries and revokes the object URLs. */
    retryWhenOnline() {
      isStopped = false
      addEventListener('online', online)
      return () => {
        isStopped = true
        clearTimeout(retryTimer)
        removeEventListener('online', online)
        for (const url of urls.values()) URL.revokeObjectURL(url)
        urls.clear()
      }
    },
  }
}
export type DraftVoiceOvers = ReturnType<typeof createDraftVoiceOvers>
