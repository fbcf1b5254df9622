import { MessageCircle } from 'lucide-react'
import { IconButton } from '../ui/button.tsx'

/**
 * Opens the support chat in the studio. It floats where the studio scrolls; where the studio fills the window its tools reach to every edge and
 * leave no room for that, and it stands in the bar.
 */
export const ChatButton = () => (
  <IconButton
    label="Support Chat"
    onClick={e => openChat(e.currentTarget)}
    className="max-lg:fixed max-lg:right-4 max-lg:bottom-4 max-lg:z-30 max-lg:rounded-full max-lg:border max-lg:border-edge max-lg:bg-paper max-lg:text-field max-lg:shadow-float"
  >
    <MessageCircle aria-hidden="true" size={20} strokeWidth={1.75} />
  </IconButton>
)

const openChat = async (from: HTMLElement) => (await import('./toggle-chat.tsx')).toggleChat(from)
