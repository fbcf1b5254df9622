import { useStore } from '@nanostores/react'
import { AudioLines, ChevronLeft, ChevronRight } from 'lucide-react'
import { memo } from 'react'
import type { Video } from '../../../modules/folders/contract.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { handleAfterPaint } from '../../ui/next-paint.ts'
import type { Technique } from './technique.ts'

const icon = { size: 18, strokeWidth: 1.75, 'aria-hidden': true } as const
const WORDS = {
  silent: 'This video has no sound. Set contact by eye.',
  nothing: 'Nothing in the sound stands out like a hit. Set contact by eye.',
  unprepared: 'The sound can be searched once the video is prepared.',
  away: 'The sound did not load. Check your connection and try again.',
} as const

/** Looks for the crack of the bat in the sound, and goes through what may be it. */
export const Contact = memo(function Contact({ act, clip }: { act: Technique; clip: Video }) {
  const onRevisionElsewhere = useStore(act.$heard)
  const mine = onRevisionElsewhere?.video === clip.id ? onRevisionElsewhere : undefined
  return (
    <div className="flex min-h-11 flex-wrap items-center gap-2">
      <Button
        variant="secondary"
        size="sm"
        busy={mine?.is === 'listening'}
        icon={<AudioLines {...icon} />}
        onClick={handleAfterPaint(() => act.listen())}
      >
        Find contact by sound
      </Button>
      {mine?.is === 'found' && mine.frames.length > 1 && (
        <span className="flex items-center text-14">
          <IconButton label="The sound before" disabled={mine.at === 0} onClick={() => act.look(mine.at - 1)}>
            <ChevronLeft {...icon} />
          </IconButton>
          <IconButton label="The next sound" disabled={mine.at === mine.frames.length - 1} onClick={() => act.look(mine.at + 1)}>
            <ChevronRight {...icon} />
          </IconButton>
        </span>
      )}
      <p role="status" className="basis-full text-13 text-ink-2 empty:hidden">
        {mine?.is === 'found'
          ? `${mine.frames.length > 1 ? `Sound ${mine.at + 1} of ${mine.frames.length}.` : 'One sound stands out.'} Sound is about 1 ms late for each foot it comes: check the frame, then confirm.`
          : mine && mine.is !== 'listening' && WORDS[mine.is]}
      </p>
    </div>
  )
})
