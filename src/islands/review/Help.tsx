import { Dialog } from '../../ui/dialog.tsx'
import { KEYS } from './shortcuts.ts'

export const Help = ({ onClose }: { onClose: () => void }) => (
  <Dialog open onOpenChange={open => open || onClose()} title="Keys">
    <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-3">
      {KEYS.map(([key, does]) => (
        <div key={key} className="contents">
          <dt>
            <kbd className="rounded-base border border-edge px-2 py-0.5 font-sans text-14 font-medium">{key}</kbd>
          </dt>
          <dd>{does}</dd>
        </div>
      ))}
    </dl>
  </Dialog>
)
