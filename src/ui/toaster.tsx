import { useStore } from '@nanostores/react'
import * as Radix from '@radix-ui/react-toast'
import { X } from 'lucide-react'
import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import { cx } from './cx.ts'
import { $toasts, dismissToast } from './toast-store.ts'

function Toaster() {
  const toasts = useStore($toasts)
  return (
    <Radix.Provider swipeDirection="right" swipeThreshold={50} label="Notification">
      {toasts.map(t => (
        <Radix.Root
          key={t.id}
          open={t.open}
          duration={t.duration}
          onOpenChange={open => open || dismissToast(t.id)}
          className={cx(
            'flex animate-rise items-start gap-3 rounded-card p-4 shadow-float',
            'data-[swipe=move]:translate-x-(--radix-toast-swipe-move-x) data-[swipe=cancel]:translate-x-0 data-[swipe=cancel]:transition-transform data-[swipe=end]:translate-x-full data-[swipe=end]:opacity-0',
            t.variant === 'destructive' ? 'bg-red text-on-fill' : 'border border-line bg-paper text-ink',
          )}
        >
          <div className="min-w-0 flex-1">
            <Radix.Title className="font-medium">{t.title}</Radix.Title>
            {t.description && <Radix.Description className="mt-0.5 text-14 wrap-anywhere">{t.description}</Radix.Description>}
          </div>
          <Radix.Close aria-label="Dismiss" className="-m-3 grid size-11 shrink-0 place-items-center rounded-field">
            <X aria-hidden="true" size={18} strokeWidth={1.75} />
          </Radix.Close>
        </Radix.Root>
      ))}
      <Radix.Viewport
        hotkey={['F8']}
        // Toasts appear next to the chat button, below the chat panel, and, on a tablet, above a dialog's footer. There they do not cover
        // titles, close buttons or videos, which are at the top and left. On a phone they move to the top while a bottom sheet is open,
        // because a sheet holds fields and buttons.
        className="fixed inset-x-4 max-sm:in-[.signed-in]:right-18 max-sm:[body:has([role=dialog][data-state])_&]:right-4! bottom-2 z-60 flex flex-col gap-2 outline-none sm:max-lg:[body:has([data-footer])_&]:bottom-36 max-sm:[body:has([role=dialog][data-state])_&]:top-2 max-sm:[body:has([role=dialog][data-state])_&]:bottom-auto sm:right-24 sm:bottom-4 sm:left-auto sm:w-72"
      />
    </Radix.Provider>
  )
}

let mounted = false

/** Mounts the toaster once. It renders synchronously, because a page that is about to be left must show its toast first. */
export function mountToaster() {
  if (mounted) return
  mounted = true
  const root = createRoot(document.body.appendChild(document.createElement('div')))
  flushSync(() => root.render(<Toaster />))
}
