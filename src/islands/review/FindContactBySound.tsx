import { useStore } from '@nanostores/react'
import { AudioLines, ChevronLeft, ChevronRight } from 'lucide-react'
import { memo } from 'react'
import type { Video } from '../../../modules/folders/contract.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import type { TechniqueEditor } from './use-technique-editor.ts'

const icon = { size: 18, strokeWidth: 1.75, 'aria-hidden': true } as const
const MESSAGES = {
  silent: 'This video has no sound. Set contact by eye.',
  nothing: 'No sound stands out as a hit. Set contact by eye.',
  unprepared: 'You can search the sound once the video is ready.',
  away: 'The sound did not load. Check your connection and try again.',
} as const

/** Searches the clip's sound for the moment of contact, and steps through the candidates. */
export const FindContactBySound = memo(function FindContactBySound({ technique, clip }: { technique: TechniqueEditor; clip: Video }) {
  const contactSearch = useStore(technique.$contactSearch)
  const search = contactSearch?.video === clip.id ? contactSearch : undefined
  return (
    <div className="flex min-h-11 flex-wrap items-center gap-2">
      <Button
        variant="secondary"
        size="sm"
        busy={search?.is === 'listening'}
        icon={<AudioLines {...icon} />}
        onClick={() => technique.findContact()}
      >
        Find contact by sound
      </Button>
      {search?.is === 'found' && search.frames.length > 1 && (
        <span className="flex items-center text-14">
          <IconButton label="Previous sound" disabled={search.at === 0} onClick={() => technique.showCandidate(search.at - 1)}>
            <ChevronLeft {...icon} />
          </IconButton>
          <IconButton
            label="Next sound"
            disabled={search.at === search.frames.length - 1}
            onClick={() => technique.showCandidate(search.at + 1)}
          >
            <ChevronRight {...icon} />
          </IconButton>
        </span>
      )}
      <p role="status" className="basis-full text-13 text-ink-2 empty:hidden">
        {search?.is === 'found'
          ? `${search.frames.length > 1 ? `Sound ${search.at + 1} of ${search.frames.length}.` : 'One sound stands out.'} Sound arrives about 1 ms late for each foot of distance: check the frame, then confirm.`
          : search && search.is !== 'listening' && MESSAGES[search.is]}
      </p>
    </div>
  )
})
