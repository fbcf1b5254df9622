import { Share2 } from 'lucide-react'
import { Button } from './button.tsx'

/** Opens the device's share sheet for a URL. Renders nothing if the browser has no share sheet. */
export const ShareSheetButton = ({ url, text, label }: { url: string; text?: string; label: string }) =>
  'share' in navigator && (
    <Button
      variant="quiet"
      icon={<Share2 size={20} strokeWidth={1.75} aria-hidden="true" />}
      onClick={() =>
        navigator.share({ url, ...(text && { text }) }).catch(() => {
          // The person closed the share sheet without sharing, or the browser could not share the URL.
        })
      }
    >
      {label}
    </Button>
  )
