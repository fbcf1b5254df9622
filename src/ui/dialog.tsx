import * as Radix from '@radix-ui/react-dialog'
import { X } from 'lucide-react'
import { type ReactNode, useRef } from 'react'
import { IconButton } from './button.tsx'
import { cx } from './cx.ts'

/**
 * A modal dialog: a bottom sheet on phones, centered elsewhere. Open it with `open` and `onOpenChange`, or with a `trigger`. Escape, the
 * close button and a press outside close it, unless `stays` is set.
 */
export function Dialog({
  title,
  about,
  trigger,
  open,
  onOpenChange,
  onClosed,
  stays = false,
  wide = false,
  footer,
  children,
}: {
  title: ReactNode
  about?: ReactNode
  trigger?: ReactNode
  open?: boolean
  onOpenChange?: (open: boolean) => void
  /**
   * For dialogs without a `trigger`: called after the dialog has closed and returned the focus, so the caller may move the focus elsewhere.
   */
  onClosed?: () => void
  stays?: boolean
  wide?: boolean
  /** Buttons, the primary one last. */
  footer?: ReactNode
  children?: ReactNode
}) {
  const hold = (e: Event) => stays && e.preventDefault()
  const before = useRef<Element>(null)
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      {trigger && <Radix.Trigger asChild>{trigger}</Radix.Trigger>}
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 animate-fade bg-shade" />
        <Radix.Content
          // Radix restores the focus only to its own trigger, so remember where it was.
          onOpenAutoFocus={() => {
            before.current = document.activeElement
          }}
          onCloseAutoFocus={e => {
            if (trigger) return
            e.preventDefault()
            // Restore the focus, unless something else has taken it in the meantime.
            if (before.current instanceof HTMLElement && document.activeElement === document.body) before.current.focus()
            onClosed?.()
          }}
          onEscapeKeyDown={hold}
          onInteractOutside={hold}
          {...(!about && { 'aria-describedby': undefined })}
          className={cx(
            'fixed inset-x-0 bottom-0 z-50 flex max-h-[calc(100dvh-2rem)] animate-rise flex-col rounded-t-card bg-paper shadow-float outline-none',
            'sm:inset-x-4 sm:inset-y-0 sm:m-auto sm:h-fit sm:w-auto sm:rounded-card',
            wide ? 'sm:max-w-3xl' : 'sm:max-w-lg',
          )}
        >
          <div className={cx('px-4 pt-4 sm:px-6 sm:pt-6', !stays && 'pr-14 sm:pr-16')}>
            <Radix.Title className="text-22">{title}</Radix.Title>
            {about && <Radix.Description className="mt-1 text-ink-2">{about}</Radix.Description>}
          </div>
          <div className={cx('min-h-0 flex-auto overflow-y-auto overscroll-contain', children ? 'p-4 sm:p-6' : 'h-4')}>{children}</div>
          {footer && (
            <div data-footer className="flex flex-col-reverse gap-2 border-t border-line p-4 sm:flex-row sm:justify-end sm:px-6">
              {footer}
            </div>
          )}
          {!stays && (
            // Last in the tab order, so that the dialog's own fields come first.
            <Radix.Close asChild>
              <IconButton label="Close" className="absolute! top-2 right-2 sm:top-4 sm:right-4">
                <X aria-hidden="true" size={20} strokeWidth={1.75} />
              </IconButton>
            </Radix.Close>
          )}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

/** Wrap a button that closes the dialog: `<DialogClose><Button>Keep it</Button></DialogClose>`. */
export const DialogClose = ({ children }: { children: ReactNode }) => <Radix.Close asChild>{children}</Radix.Close>
