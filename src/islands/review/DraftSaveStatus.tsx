import { useStore } from '@nanostores/react'
import { Check, CloudOff, CloudUpload, TriangleAlert } from 'lucide-react'
import { useDeferredValue } from 'react'
import type { AutosavingDraftStore } from '../../draft/autosaved-draft.ts'
import { cx } from '../../ui/cx.ts'
import { Spinner } from '../../ui/spinner.tsx'

const icon = { size: 16, strokeWidth: 2, 'aria-hidden': true } as const

/** Puts a sentence in the studio's header on its own line on a phone. */
export const OWN_LINE_ON_PHONE_CLASSES = 'max-sm:order-last max-sm:w-full max-sm:px-3 max-sm:pb-1'

/** Shows whether and where the draft is saved. */
export function DraftSaveStatus({ draft }: { draft: AutosavingDraftStore }) {
  const now = useStore(draft.$saveState)
  // Deferred, so that typed text is painted first.
  const saved = useDeferredValue(now)
  const joined = useStore(draft.$wasMerged)
  const problem = useStore(draft.$problem)
  const [stateIcon, message] =
    saved === 'retrying'
      ? [<CloudOff key="retrying" {...icon} />, 'Saved on this device. It uploads automatically.']
      : saved === 'stopped'
        ? [<TriangleAlert key="stopped" {...icon} />, problem ?? 'Not being saved. Copy your text and reload.']
        : saved === 'saved'
          ? [<Check key="saved" {...icon} />, joined ? 'Saved, merged with your other tab' : 'Saved']
          : saved === 'loading'
            ? [<Spinner key="loading" className="size-4" />, 'Loading']
            : // A static icon, because an animated one would keep repainting the page while the instructor types.
              [<CloudUpload key="saving" {...icon} />, 'Saving']
  const brief = saved === 'saving' || saved === 'typing' || (saved === 'saved' && !joined)
  return (
    <p
      role="status"
      data-saved={now}
      className={cx(
        // The minimum width keeps neighbors in place when the word changes.
        'flex items-center gap-1.5 text-13 sm:min-w-19',
        // On a phone a sentence gets its own line below the buttons.
        !brief && saved !== 'loading' && OWN_LINE_ON_PHONE_CLASSES,
        saved === 'stopped' ? 'font-medium text-red' : saved === 'retrying' ? 'font-medium text-gold' : 'text-ink-2',
      )}
    >
      {stateIcon}
      <span className={cx(brief && 'max-sm:sr-only')}>{message}</span>
    </p>
  )
}
