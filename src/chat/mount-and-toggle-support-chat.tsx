import { useEffect, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { CHAT_RESET_DELAYS_MS, SupportRequestPanel } from './SupportRequestPanel.tsx'

let toggle: (() => void) | undefined
let opener: HTMLElement | undefined

/** The chat panel, open or closed. A closed chat keeps its conversation for 300 ms, and then starts over. */
function ChatPanel() {
  const [open, setOpen] = useState(true)
  const [round, setRound] = useState(0)
  toggle = () => setOpen(!open)
  useEffect(() => {
    if (open) return
    opener?.focus()
    const timer = setTimeout(() => setRound(n => n + 1), CHAT_RESET_DELAYS_MS.closed)
    return () => clearTimeout(timer)
  }, [open])
  return (
    <div hidden={!open}>
      <SupportRequestPanel key={round} onClose={() => setOpen(false)} />
    </div>
  )
}

/** Opens or closes the chat. @param from the button to focus when the chat closes */
export function toggleSupportChat(from: HTMLElement) {
  opener = from
  if (toggle) toggle()
  else createRoot(document.body.appendChild(document.createElement('div'))).render(<ChatPanel />)
}
