import { Fragment } from 'react'
import { Dialog } from '../../ui/dialog.tsx'
import { isKeyRange, SHORTCUT_SECTIONS } from './shortcut-list.ts'

/** Key labels on a Mac. */
const MAC: Record<string, string> = { Ctrl: '⌘', Alt: '⌥', Shift: '⇧', Delete: '⌫' }
const isMac = () => /Mac|iPad|iPhone/.test(navigator.platform)

function ShortcutKeys({ keys }: { keys: string }) {
  // A lone '+' is a key, not a separator.
  const parts = keys.length > 1 ? keys.split('+') : [keys]
  return (
    <span className="inline-flex gap-0.5 whitespace-nowrap">
      {parts.map(part => (
        <kbd
          key={part}
          className="inline-grid min-w-7 place-items-center rounded-base border border-edge bg-ink-wash px-1.5 py-0.5 font-sans text-14 font-medium"
        >
          {(isMac() && MAC[part]) || part}
        </kbd>
      ))}
    </span>
  )
}

export const ShortcutsDialog = ({ onClose }: { onClose: () => void }) => (
  <Dialog open wide onOpenChange={open => open || onClose()} title="Keyboard shortcuts">
    <div
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable list must be reachable by keyboard
      tabIndex={0}
      className="-m-4 gap-x-10 rounded-b-card p-4 focus-visible:outline-1 focus-visible:-outline-offset-1 focus-visible:outline-edge sm:-m-6 sm:columns-2 sm:p-6"
    >
      {SHORTCUT_SECTIONS.map(({ title, keys }) => (
        <section key={title} aria-label={title} className="break-inside-avoid pb-5">
          <h3 className="mb-2 text-14 text-ink-2">{title}</h3>
          <dl>
            {keys.map(([all, does]) => (
              <div key={all.join()} className="flex items-start gap-3 py-1">
                <dt className="flex w-32 shrink-0 flex-wrap items-center gap-1">
                  {all.map((one, i) => (
                    <Fragment key={one}>
                      {i > 0 && <span className="text-13 text-ink-2">{isKeyRange(all) ? 'to' : '/'}</span>}
                      <ShortcutKeys keys={one} />
                    </Fragment>
                  ))}
                </dt>
                <dd className="min-w-0 flex-1 text-14">{does}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </div>
  </Dialog>
)
