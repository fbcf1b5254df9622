import { Dialog } from '../../ui/dialog.tsx'
import { KEYS } from './shortcuts.ts'

export const Help = ({ onClose }: { onClose: () => void }) => (
  <Dialog open wide onOpenChange={open => open || onClose()} title="Keys">
    {/* Where it is longer than the window, keys scroll it. */}
    <dl tabIndex={0} className="-m-2 gap-x-8 rounded-field p-2 sm:columns-2">
      {KEYS.map(([key, does]) => (
        <div key={key} className="flex break-inside-avoid items-start gap-3 pb-3">
          <dt className="w-32 shrink-0">
            <kbd className="inline-block rounded-base border border-edge px-2 py-0.5 font-sans text-14 font-medium">{key}</kbd>
          </dt>
          <dd className="min-w-0 flex-1">{does}</dd>
        </div>
      ))}
    </dl>
  </Dialog>
)
