import { useStore } from '@nanostores/react'
import { Mic } from 'lucide-react'
import type { AutosavingDraftStore } from '../../../draft/autosaved-draft.ts'
import { useIsDraftLoading } from '../../../draft/draft-selector-hooks.ts'
import { Button } from '../../../ui/button.tsx'
import type { StudioVoice } from './studio-voice.ts'

/** Starts a voice-over at the current frame. */
export function StartVoiceOverButton({ studioVoice, autosavedDraft }: { studioVoice: StudioVoice; autosavedDraft: AutosavingDraftStore }) {
  const loading = useIsDraftLoading(autosavedDraft)
  const { is } = useStore(studioVoice.recorder.$recording)
  return (
    <Button
      variant="secondary"
      size="sm"
      aria-keyshortcuts="V"
      disabled={loading || is !== 'idle'}
      icon={<Mic aria-hidden="true" size={18} strokeWidth={1.75} />}
      onClick={studioVoice.toggleRecording}
      className="mr-1"
    >
      Record voice-over
    </Button>
  )
}
