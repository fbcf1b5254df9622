import { useStore } from '@nanostores/react'
import { Check, CloudOff, CloudUpload, TriangleAlert } from 'lucide-react'
import { useDeferredValue } from 'react'
import type { DraftStore } from '../../draft/draft-store.ts'
import { cx } from '../../ui/cx.ts'
import { Spinner } from '../../ui/spinner.tsx'

const icon = { size: 16, strokeWidth: 2, 'aria-hidden': true } as const

/** For a sentence in the bar of the studio. */
export const OWN_LINE_ON_PHONE = 'max-sm:order-last max-sm:w-full max-sm:px-3 max-sm:pb-1'

/** Whether what was written is safe, and where. */
export function SaveStatus({ draft }: { draft: DraftStore }) {
  const now = useStore(draft.$saveState)
  // What was written shows first.
  const saved = useDeferredValue(now)
  const joined = useStore(draft.$wasMerged)
  const problem = useStore(draft.$problem)
  const [stateIcon, message] =
    saved === 'kept'
      ? [<CloudOff key="kept" {...icon} />, 'Kept on this device. It goes online by itself.']
      : saved === 'stopped'
        ? [<TriangleAlert key="stopped" {...icon} />, problem ?? 'Not saved anymore. Copy your text and reload.']
        : saved === 'saved'
          ? [<Check key="saved" {...icon} />, joined ? 'Saved, joined with your other tab' : 'Saved']
          : saved === 'loading'
            ? [<Spinner key="loading" className="size-4" />, 'Loading']
            : // Still: one that turns has the page drawn anew all the while that somebody writes.
              [<CloudUpload key="saving" {...icon} />, 'Saving']
  const brief = saved === 'saving' || saved === 'typing' || (saved === 'saved' && !joined)
  return (
    <p
      role="status"
      data-saved={now}
      className={cx(
        // One word takes as much room as the other: nothing moves while one writes.
        'flex items-center gap-1.5 text-13 sm:min-w-19',
        // A sentence has a line of its own on a phone, below what can be pressed.
        !brief && saved !== 'loading' && OWN_LINE_ON_PHONE,
        saved === 'stopped' ? 'font-medium text-red' : saved === 'kept' ? 'font-medium text-gold' : 'text-ink-2',
      )}
    >
      {stateIcon}
      <span className={cx(brief && 'max-sm:sr-only')}>{message}</span>
    </p>
  )
}
