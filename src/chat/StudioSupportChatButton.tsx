import { MessageCircle } from 'lucide-react'
import { IconButton } from '../ui/button.tsx'
import { openSupportChat } from './open-support-chat.ts'

/** Opens the support chat in the studio, from its header: a floating button would cover the controls, which fill the window. */
export const StudioSupportChatButton = () => (
  <IconButton label="Support Chat" onClick={e => openSupportChat(e.currentTarget)}>
    <MessageCircle aria-hidden="true" size={20} strokeWidth={1.75} />
  </IconButton>
)
