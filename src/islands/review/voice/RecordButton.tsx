import { useStore } from '@nanostores/react'
import { Mic } from 'lucide-react'
import { useIsDraftLoading } from '../../../draft/draft-selectors.ts'
import type { DraftStore } from '../../../draft/draft-store.ts'
import { Button } from '../../../ui/button.tsx'
import type { Speaking } from './speaking.ts'

/** Begins a voice-over at the frame that is shown. */
export function RecordButton({ speaking, draftStore }: { speaking: Speaking; draftStore: DraftStore }) {
  const loading = useIsDraftLoading(draftStore)
  const { is } = useStore(speaking.recorder.$recording)
  return (
    <Button
      variant="secondary"
      size="sm"
      aria-keyshortcuts="V"
      disabled={loading || is !== 'idle'}
      icon={<Mic aria-hidden="true" size={18} strokeWidth={1.75} />}
      onClick={speaking.record}
      className="mr-1"
    >
      Record voice-over
    </Button>
  )
}
