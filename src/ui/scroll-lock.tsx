import { Slot } from '@radix-ui/react-slot'
import { type ReactNode, useLayoutEffect } from 'react'

let locks = 0

/**
 * Stands in for `react-remove-scroll`, which writes a <style> into the page that our content policy forbids: while one
 * of these is mounted, <html> has the class `locked`.
 */
export function RemoveScroll({ children, enabled = true }: { children?: ReactNode; enabled?: boolean }) {
  useLayoutEffect(() => {
    if (!enabled) return
    const { documentElement: root } = document
    // The room of the scrollbar that goes, if there is one: nothing moves into it.
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
