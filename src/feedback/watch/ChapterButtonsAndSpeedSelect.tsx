import { useStore } from '@nanostores/react'
import { SkipBack, SkipForward } from 'lucide-react'
import { IconButton } from '../../ui/button.tsx'
import { SpeedSelect } from '../../ui/speed-select.tsx'
import { VOICE_SPEEDS } from '../../voice/voice-over-playback.ts'
import type { ReviewPlayback } from './review-playback.ts'

const ICON = { size: 20, strokeWidth: 1.75, 'aria-hidden': true } as const

export const PreviousAndNextChapterButtons = ({ playback }: { playback: ReviewPlayback }) => (
  <>
    <IconButton label="Previous chapter" onClick={() => playback.skip(-1)}>
      <SkipBack {...ICON} />
    </IconButton>
    <IconButton label="Next chapter" onClick={() => playback.skip(1)}>
      <SkipForward {...ICON} />
    </IconButton>
  </>
)

export const ReviewSpeedSelect = ({ playback }: { playback: ReviewPlayback }) => (
  <SpeedSelect
    label="Speed of the review"
    value={useStore(playback.$speed)}
    speeds={VOICE_SPEEDS}
    onChange={playback.setSpeed}
    className="w-16 sm:w-18"
  />
)
