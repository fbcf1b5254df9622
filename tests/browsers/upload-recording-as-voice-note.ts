/**
 * Runs in a page of the studio. Adds a recording from another browser (WebM with Opus, as base64) to the draft as a note, with three
 * seeks on the upright clip. The function must not use variables from outside.
 */
export async function uploadRecordingAsVoiceNote(sound: string) {
  const folder = location.pathname.split('/').at(-1)
  const file = Uint8Array.from(atob(sound), c => c.charCodeAt(0))
  async function call(method: string, path: string, body?: unknown) {
    const headers = { 'content-type': 'application/json', 'idempotency-key': crypto.randomUUID() }
    const reply = await fetch(`/api/folders/${folder}${path}`, {
      method,
      ...(body !== undefined && { headers, body: JSON.stringify(body) }),
    })
    if (!reply.ok) throw new Error(`${method} ${path}: ${await reply.text()}`)
    return reply.json()
  }
  const { session } = await call('GET', '')
  const video = session.clips.find((c: { name: string }) => c.name.includes('upright')).id
  const sent = { id: crypto.randomUUID(), type: 'audio/webm', bytes: file.length }
  const { url } = await call('POST', '/voices', sent)
  const put = await fetch(url, { method: 'PUT', body: file, headers: { 'content-type': sent.type } })
  if (!put.ok) throw new Error(`The store answers ${put.status}.`)
  const { revision, draft } = await call('GET', '/draft')
  const actions = [1, 2, 3].map(frame => [frame * 300, 'seek', frame])
  await call('PUT', '/draft', {
    revision,
    draft: {
      ...draft,
      voices: [{ ...sent, video, frame: 0, milliseconds: 3300, actions }],
      notes: [...draft.notes, { id: crypto.randomUUID(), video, at: 0, frame: 0, kind: 'technique', text: '', voice: sent.id }],
    },
  })
}
