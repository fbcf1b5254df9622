import { Slot } from '@radix-ui/react-slot'
import { type ReactNode, useLayoutEffect } from 'react'

let locks = 0

/**
 * Replaces `react-remove-scroll`, which injects a <style> that our content security policy forbids. While an enabled `RemoveScroll` is
 * mounted, <html> has the class `locked`, which stops the page from scrolling.
 */
export function RemoveScroll({ children, enabled = true }: { children?: ReactNode; enabled?: boolean }) {
  useLayoutEffect(() => {
    if (!enabled) return
    const { documentElement: root } = document
    // Reserve the width of the disappearing scrollbar, so that the page does not shift.
    if (locks++ === 0) root.style.setProperty('--scrollbar', `${innerWidth - root.clientWidth}px`)
    root.classList.add('locked')
    return () => {
      if (--locks > 0) return
      root.classList.remove('locked')
      root.style.removeProperty('--scrollbar')
    }
  }, [enabled])
  return <Slot>{children}</Slot>
}
