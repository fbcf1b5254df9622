import { MessageCircle } from 'lucide-react'
import { IconButton } from '../ui/button.tsx'

/** Opens and closes the support chat from the header of the studio: a floating button would cover the controls, which fill the window. */
export function StudioSupportChatButton() {
  const toggleChat = (button: HTMLElement) =>
    import('./mount-and-toggle-support-chat.tsx').then(
      chat => chat.toggleSupportChat(button),
      // If the chat does not load, the notice of `BasePage.astro` asks the user to reload the page.
      () => dispatchEvent(new Event('astro:hydration-error')),
    )
  return (
    <IconButton label="Support Chat" onClick={e => toggleChat(e.currentTarget)}>
      <MessageCircle aria-hidden="true" size={20} strokeWidth={1.75} />
    </IconButton>
  )
}
