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
    locks++
    document.documentElement.classList.add('locked')
    return () => {
      if (--locks === 0) document.documentElement.classList.remove('locked')
    }
  }, [enabled])
  return <Slot>{children}</Slot>
}
