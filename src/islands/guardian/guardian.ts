import { ApiError, request } from '../../client/api.ts'
import { lastPathSegment } from '../../client/last-path-segment.ts'
import { isNotFound } from '../../client/not-found.ts'

interface Asked {
  playerFirstName: string
  guardianName: string
  confirmed: boolean
}

const token = encodeURIComponent(lastPathSegment(location.pathname))
const all = (selector: string) => document.querySelectorAll<HTMLElement>(selector)

/** One of: waiting, asked, agreed, failed. */
function show(view: string) {
  for (const one of all('[data-guardian]')) one.hidden = one.dataset.guardian !== view
  document.querySelector<HTMLElement>(`[data-guardian=${view}] h1`)?.focus()
}
function fail(error: unknown) {
  const gone = isNotFound(error)
  const why = gone
    ? 'It is too old, or not complete. Open the newest letter, or ask the player to send it again.'
    : error instanceof ApiError
      ? error.message
      : 'No connection right now. Try again when you are back online.'
  for (const at of all('[data-why]')) at.textContent = why
  for (const button of all('[data-retry]')) button.hidden = gone
  show('failed')
}

async function load() {
  show('waiting')
  try {
    const { playerFirstName, guardianName, confirmed } = (await request('GET', `/api/guardian/${token}`)) as Asked
    for (const at of all('[data-player]')) at.textContent = playerFirstName
    for (const at of all('[data-name]')) at.textContent = guardianName
    show(confirmed ? 'agreed' : 'asked')
  } catch (error) {
    fail(error)
  }
}

for (const button of all('[data-retry]')) button.onclick = load
for (const button of document.querySelectorAll<HTMLButtonElement>('[data-agree]')) {
  button.onclick = async () => {
    button.disabled = true
    await request('POST', `/api/guardian/${token}`).then(() => show('agreed'), fail)
    button.disabled = false
  }
}
load()
