import { MessageCircle } from 'lucide-react'
import { IconButton } from '../ui/button.tsx'

/**
 * Opens the support chat in the studio. It floats on narrow screens, where the studio scrolls; on wide screens the studio's tools fill the
 * window and leave no room for a floating button, so it sits in the header bar.
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
