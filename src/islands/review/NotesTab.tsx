import { useStore } from '@nanostores/react'
import { BookMarked, Mic, Plus } from 'lucide-react'
import { memo, useDeferredValue, useMemo } from 'react'
import type { Phrase } from '../../../modules/phrases/contract.ts'
import { skillsReviewedOnClip } from '../../../modules/reviews/policy.ts'
import { useQuery } from '../../client/query.ts'
import type { AutosavingDraftStore } from '../../draft/autosaved-draft.ts'
import { useDraftListSelector, useDraftSelector } from '../../draft/draft-selector-hooks.ts'
import { sortNotes } from '../../folders/notes.ts'
import { Button } from '../../ui/button.tsx'
import { formatClockHundredths } from '../../ui/format-duration-and-size.ts'
import { useStoreValueEquals } from '../../ui/store-selector.ts'
import { NoteEditor } from './NoteEditor.tsx'
import { NoteSecondAngleButtons } from './NoteSecondAngleButtons.tsx'
import { createNoteActions, hasRoomForDeletedNote, type NoteActions } from './note-actions.ts'
import { type OwnOrStarterPhrase, ownAndStarterPhrases } from './phrases/find-phrases.ts'
import type { StudioDrawing } from './studio-drawing.ts'
import type { StudioStore } from './studio-store.ts'
import type { StudioVoice } from './voice/studio-voice.ts'
import { VoiceOverCard, WholeReviewVoiceOvers } from './voice/VoiceOverCard.tsx'

const NO_PHRASES: readonly Phrase[] = []
const inline = { size: 18, strokeWidth: 1.75, role: 'img', className: 'inline align-text-bottom text-ink' } as const

/** The tab's label with the number of notes. It reserves room for the number, so that the other tabs do not shift. */
export const NotesTabLabel = ({ autosavedDraft }: { autosavedDraft: AutosavingDraftStore }) => (
  <>
    Notes{' '}
    <span className="inline-block min-w-[1ch] text-left tabular-nums">
      {useDraftSelector(autosavedDraft, d => d.notes.length) || <span aria-hidden="true">0</span>}
    </span>
  </>
)

/** Says which note was deleted last, with a button to restore it. */
function DeletedNoteStatus({ autosavedDraft, acts }: { autosavedDraft: AutosavingDraftStore; acts: NoteActions }) {
  const deleted = useStore(acts.$deletedNote)
  const canRestore = useDraftSelector(autosavedDraft, d => deleted !== undefined && hasRoomForDeletedNote(d, deleted))
  return (
    <div role="status">
      {deleted && (
        <p className="mt-2 flex flex-wrap items-center justify-between gap-2 text-14">
          The note at {formatClockHundredths(deleted.note.at)} is deleted.
          {canRestore && (
            <Button variant="secondary" size="sm" onClick={acts.onRestore}>
              Restore
            </Button>
          )}
        </p>
      )}
    </div>
  )
}

/** The notes of a draft. Typing in a note rerenders only that note. */
export function NotesTab({ studio, drawing, studioVoice }: { studio: StudioStore; drawing: StudioDrawing; studioVoice: StudioVoice }) {
  const own = useQuery('GET /api/phrases').data?.phrases ?? NO_PHRASES
  const clip = useStore(studio.$clip)
  const skills = useDraftListSelector(studio.autosavedDraft, d => (clip ? [...skillsReviewedOnClip(clip, d)] : []))
  const phrases = useMemo(() => ownAndStarterPhrases(own, skills), [own, skills])
  const clips = useStore(studio.$clips)
  const order = useDraftSelector(studio.autosavedDraft, d =>
    sortNotes(d.notes, clips)
      .map(n => n.id)
      .join(' '),
  )
  const acts = useMemo(() => createNoteActions(studio, drawing, studioVoice), [studio, drawing, studioVoice])
  const phrasesButton = (
    <Button
      variant="quiet"
      size="sm"
      icon={<BookMarked aria-hidden="true" size={18} strokeWidth={1.75} />}
      onClick={acts.onPhrases}
      className="-ml-3 text-ink-2 sm:hidden"
    >
      Phrases and drills
    </Button>
  )
  if (!order) {
    return (
      <>
        <WholeReviewVoiceOvers studioVoice={studioVoice} />
        {phrasesButton}
        <p className="text-ink-2">
          Stop at the frame you want to talk about and press{' '}
          <span className="pointer-coarse:hidden">
            <kbd className="font-sans font-medium text-ink">M</kbd>, or “Note” under the video. Or say it: press{' '}
            <kbd className="font-sans font-medium text-ink">V</kbd>.
          </span>
          {/* Shows icons: touch devices have no keyboard shortcuts, and where space is short the buttons show only their icons. */}
          <span className="hidden pointer-coarse:inline">
            <Plus {...inline} aria-label="Note" /> under the video. Or say it: press <Mic {...inline} aria-label="Record voice-over" />.
          </span>
        </p>
        <DeletedNoteStatus autosavedDraft={studio.autosavedDraft} acts={acts} />
      </>
    )
  }
  return (
    <>
      <WholeReviewVoiceOvers studioVoice={studioVoice} />
      {phrasesButton}
      <ol className="flex flex-col gap-2">
        {order.split(' ').map((id, i) => (
          <NumberedNote key={id} {...{ id, studio, studioVoice, phrases, acts }} number={i + 1} />
        ))}
      </ol>
      <DeletedNoteStatus autosavedDraft={studio.autosavedDraft} acts={acts} />
    </>
  )
}

interface NoteItemProps {
  id: string
  number: number
  studio: StudioStore
  studioVoice: StudioVoice
  phrases: readonly OwnOrStarterPhrase[]
  acts: NoteActions
}

/** A new note renumbers the notes after it; the renumbering is deferred, so that the new note appears first. */
const NumberedNote = memo((props: NoteItemProps) => <NoteItem {...props} number={useDeferredValue(props.number)} />)

const NoteItem = memo(function NoteItem({ id, number, studio, studioVoice, phrases, acts }: NoteItemProps) {
  const { autosavedDraft } = studio
  const note = useDraftSelector(autosavedDraft, d => d.notes.find(n => n.id === id))
  const voice = useDraftSelector(autosavedDraft, d => note?.voice && d.voices?.find(v => v.id === note.voice))
  const current = useStoreValueEquals(studio.$currentNoteId, id)
  const fresh = useStoreValueEquals(studio.$newNoteId, id)
  if (!note) return null
  return (
    <NoteEditor {...{ note, number, current, fresh, phrases }} {...acts}>
      {note.otherAngle && <NoteSecondAngleButtons {...{ note, number, studio }} otherAngle={note.otherAngle} />}
      {voice && <VoiceOverCard voice={voice} of={`of note ${number}`} studioVoice={studioVoice} />}
    </NoteEditor>
  )
})
