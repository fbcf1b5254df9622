import { ApiError, sendApiRequest } from '../../client/api.ts'
import { isNotFound } from '../../client/is-not-found.ts'
import { lastPathSegment } from '../../client/last-path-segment.ts'

interface ConsentRequest {
  playerFirstName: string
  guardianName: string
  isAccountKept: boolean
}

const token = encodeURIComponent(lastPathSegment(location.pathname))
const all = (selector: string) => document.querySelectorAll<HTMLElement>(selector)

/** Whether an answer was sent but no response arrived. If the server recorded the answer, the link no longer works. */
let isReplyMissing = false

/** Shows one of the page's parts, moves the focus to its heading, and hides the other parts. */
function show(view: 'waiting' | 'asked' | 'agreed' | 'refused' | 'failed') {
  for (const one of all('[data-guardian]')) one.hidden = one.dataset.guardian !== view
  document.querySelector<HTMLElement>(`[data-guardian=${view}] h1`)?.focus()
}

function showError(error: unknown) {
  const isExpired = isNotFound(error)
  const why = isExpired
    ? isReplyMissing
      ? 'Your answer has probably arrived, because this link works only once. Log in to see it.'
      : 'It has already been used, has expired, or is incomplete. Open the newest email, or log in to answer.'
    : error instanceof ApiError
      ? error.message
      : 'No connection right now. Try again when you are back online.'
  for (const at of all('[data-why]')) at.textContent = why
  for (const button of all('[data-retry]')) button.hidden = isExpired
  for (const button of all('[data-sign-in]')) button.hidden = !isExpired
  show('failed')
}

async function load() {
  show('waiting')
  try {
    const { playerFirstName, guardianName, isAccountKept } = (await sendApiRequest('GET', `/api/guardian/${token}`)) as ConsentRequest
    for (const at of all('[data-player]')) at.textContent = playerFirstName
    for (const at of all('[data-name]')) at.textContent = guardianName
    for (const at of all('[data-account]')) at.hidden = (at.dataset.account === 'kept') !== isAccountKept
    show('asked')
  } catch (error) {
    showError(error)
  }
}

for (const button of all('[data-retry]')) button.onclick = load
const answers = document.querySelectorAll<HTMLButtonElement>('[data-answer]')
for (const button of answers) {
  button.onclick = async () => {
    for (const one of answers) one.disabled = true
    const answer = button.dataset.answer
    const { timeZone } = new Intl.DateTimeFormat().resolvedOptions()
    const chosen = document.querySelectorAll<HTMLInputElement>('[name=optional]:checked')
    const optional = answer === 'yes' ? Array.from(chosen, box => box.value) : []
    await sendApiRequest('POST', `/api/guardian/${token}`, { answer, optional, timeZone }).then(
      () => show(answer === 'yes' ? 'agreed' : 'refused'),
      error => {
        isReplyMissing ||= !(error instanceof ApiError)
        showError(error)
      },
    )
    for (const one of answers) one.disabled = false
  }
}
load()
