import { Share2 } from 'lucide-react'
import { Button } from './button.tsx'

/** Opens the device's own sheet for sharing an address. Draws nothing where the browser has none. */
export const ShareButton = ({ url, text, label }: { url: string; text?: string; label: string }) =>
  'share' in navigator && (
    <Button
      variant="quiet"
      icon={<Share2 size={20} strokeWidth={1.75} aria-hidden="true" />}
      onClick={() =>
        navigator.share({ url, ...(text && { text }) }).catch(() => {
          // Closed without sharing.
        })
      }
    >
      {label}
    </Button>
  )
