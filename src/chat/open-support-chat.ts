import { toast } from '../ui/toast.ts'

/** Loads the support chat and opens or closes it. @param from the button that receives the focus when the chat closes */
export const openSupportChat = (from: HTMLElement) =>
  import('./toggle-chat-panel.tsx').then(
    chat => chat.toggleChatPanel(from),
    // Some browsers remember that a script did not load, and an upgrade has replaced it, so pressing again may not help.
    () =>
      toast({
        title: 'Support Chat did not load',
        description: 'Check your connection, then reload the page.',
        variant: 'destructive',
      }),
  )
