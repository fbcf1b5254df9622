import { useStore } from '@nanostores/react'
import { useCallback } from 'react'
import type { Draft, NoteKind, Video } from '../../../modules/folders/contract.ts'
import type { Phrase } from '../../../modules/phrases/contract.ts'
import { useQuery } from '../../client/query.ts'
import { ordered } from '../folder/notes.ts'
import type { Player } from '../folder/player.ts'
import type { Speaking } from '../voice/speaking.ts'
import { VoiceCard, WholeVoices } from '../voice/VoiceCard.tsx'
import type { DraftKeeper } from './draft.ts'
import { NoteCard } from './NoteCard.tsx'

type Note = Draft['notes'][number]
const NONE: readonly Phrase[] = []

/** How many notes there are, for their tab. */
export const NotesCount = ({ keeper }: { keeper: DraftKeeper }) => `Notes ${useStore(keeper.$draft).notes.length || ''}`

/** The notes of a review while they are written. `clip` is the one on the stage; `fresh` is the note just made. */
export function Notes({
  keeper,
  clips,
  clip,
  player,
  current,
  fresh,
  onGo,
  onKind,
  onDraw,
  onPhrases,
  speaking,
}: {
  keeper: DraftKeeper
  clips: Video[]
  clip: Video
  player: Player
  current: string | undefined
  fresh: string | undefined
  onGo: (note: Note) => void
  /** A kind was chosen: the next note is of it, too. */
  onKind: (kind: NoteKind) => void
  onDraw: () => void
  onPhrases: () => void
  speaking: Speaking
}) {
  const phrases = useQuery('GET /api/phrases').data?.phrases ?? NONE
  const { notes: all, voices } = useStore(keeper.$draft)
  const notes = ordered(all, clips)
  // The same functions at every stroke of a key: cards that did not change are not drawn anew.
  const edit = useCallback(
    (id: string, change: Partial<Note>) => {
      if (change.kind) onKind(change.kind)
      keeper.change(d => ({ ...d, notes: d.notes.map(n => (n.id === id ? { ...n, ...change } : n)) }))
    },
    [keeper, onKind],
  )
  const remove = useCallback((id: string) => keeper.change(d => ({ ...d, notes: d.notes.filter(n => n.id !== id) })), [keeper])
  const pin = useCallback((id: string) => edit(id, { ...player.pin(), video: clip.id }), [clip.id, edit, player])
  const end = useCallback(
    (id: string) => {
      const shown = player.$frame.get()
      const ending = ({ until: _, ...note }: Note): Note =>
        note.video === clip.id && note.frame !== undefined && shown > note.frame ? { ...note, until: shown } : note
      keeper.change(d => ({ ...d, notes: d.notes.map(n => (n.id === id ? ending(n) : n)) }))
    },
    [clip.id, keeper, player],
  )
  if (!notes.length) {
    return (
      <>
        <WholeVoices speaking={speaking} />
        <p className="text-ink-2">
          Stop at the frame you want to talk about and press <kbd className="font-sans font-medium text-ink">M</kbd>, or “Note” under the
          video. Or say it: press <kbd className="font-sans font-medium text-ink">V</kbd>.
        </p>
      </>
    )
  }
  const voiceOf = ({ voice }: Note) => voices?.find(v => v.id === voice)
  return (
    <>
      <WholeVoices speaking={speaking} />
      <ol className="flex flex-col gap-2">
        {notes.map((note, i) => (
          <NoteCard
            key={note.id}
            note={note}
            number={i + 1}
            current={note.id === current}
            fresh={note.id === fresh}
            phrases={phrases}
            onChange={edit}
            onRemove={remove}
            onGo={onGo}
            onPin={pin}
            onEnd={end}
            onDraw={onDraw}
            onPhrases={onPhrases}
          >
            {voiceOf(note) && <VoiceCard voice={voiceOf(note)!} of={`of note ${i + 1}`} speaking={speaking} />}
          </NoteCard>
        ))}
      </ol>
    </>
  )
}
