import { useStore } from '@nanostores/react'
import { Columns2, X } from 'lucide-react'
import type { Draft } from '../../../modules/folders/contract.ts'
import { useDraftSelector } from '../../draft/draft-selector-hooks.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import type { StudioStore } from './studio-store.ts'

type Note = Draft['notes'][number]
const icon = { size: 18, strokeWidth: 1.75, 'aria-hidden': true } as const

/** Buttons for a note with a second angle: one opens the comparison of both angles, the other removes the second angle from the note. */
export function NoteSecondAngleButtons({
  note,
  otherAngle,
  number,
  studio,
}: {
  note: Note
  otherAngle: NonNullable<Note['otherAngle']>
  number: number
  studio: StudioStore
}) {
  const clips = useStore(studio.$clips)
  const comparison = useDraftSelector(
    studio.autosavedDraft,
    d => d.comparisons?.find(({ sides }) => [note.video, otherAngle.video].every(video => sides.some(s => s.video === video)))?.id,
  )
  const words = `Frame ${otherAngle.frame + 1} of video ${clips.findIndex(c => c.id === otherAngle.video) + 1}`
  return (
    <div className="flex items-center">
      {comparison ? (
        <Button
          variant="quiet"
          size="sm"
          icon={<Columns2 {...icon} />}
          aria-label={`Show note ${number} from both angles`}
          onClick={() => studio.openComparison(comparison, note)}
          className="text-ink-2 tabular-nums"
        >
          {words}
        </Button>
      ) : (
        <span className="flex min-h-11 items-center gap-2 px-3 text-14 text-ink-2 tabular-nums">
          <Columns2 {...icon} />
          {words}
        </span>
      )}
      <IconButton
        label={`Remove the second angle of note ${number}`}
        onClick={() =>
          studio.autosavedDraft.change(d => ({
            ...d,
            notes: d.notes.map(({ otherAngle: angle, ...n }) => (n.id === note.id || !angle ? n : { ...n, otherAngle: angle })),
          }))
        }
        className="text-ink-2"
      >
        <X {...icon} />
      </IconButton>
    </div>
  )
}
