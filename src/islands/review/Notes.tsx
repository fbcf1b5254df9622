import { useStore } from '@nanostores/react'
import { Mic, Plus } from 'lucide-react'
import { memo, useDeferredValue, useMemo } from 'react'
import type { Draft, NoteKind } from '../../../modules/folders/contract.ts'
import type { Phrase } from '../../../modules/phrases/contract.ts'
import { useQuery } from '../../client/query.ts'
import { useDraftSelector, useStoreEquals } from '../../draft/draft-selectors.ts'
import type { DraftStore } from '../../draft/draft-store.ts'
import { ordered } from '../../folders/notes.ts'
import { afterNextPaint } from '../../ui/next-paint.ts'
import type { Draw } from './drawing.ts'
import { NoteCard } from './NoteCard.tsx'
import type { Desk } from './studio-store.ts'
import type { Speaking } from './voice/speaking.ts'
import { VoiceCard, WholeVoices } from './voice/VoiceCard.tsx'

type Note = Draft['notes'][number]
const NONE: readonly Phrase[] = []
const inline = { size: 18, strokeWidth: 1.75, role: 'img', className: 'inline align-text-bottom text-ink' } as const

/** How many notes there are, for their tab. The number's place is there before it, so that the other tabs stay where they are. */
export const NotesCount = ({ draftStore }: { draftStore: DraftStore }) => (
  <>
    Notes{' '}
    <span className="inline-block min-w-[1ch] text-left tabular-nums">
      {useDraftSelector(draftStore, d => d.notes.length) || <span aria-hidden="true">0</span>}
    </span>
  </>
)

/** What a note's card does to the draft and to the stage. */
function actsOf({ draftStore, player, $clipId, ...desk }: Desk, draw: Draw) {
  const put = (id: string, change: (note: Note) => Note) =>
    draftStore.change(d => ({ ...d, notes: d.notes.map(n => (n.id === id ? change(n) : n)) }))
  return {
    onChange(id: string, change: Partial<Note>) {
      // A kind was chosen: the next note is of it, too.
      if (change.kind) desk.setKind(change.kind satisfies NoteKind)
      put(id, n => ({ ...n, ...change }))
    },
    onRemove: (id: string) => draftStore.change(d => ({ ...d, notes: d.notes.filter(n => n.id !== id) })),
    // The press, or the cursor in the words, shows first.
    async onGo(id: string) {
      await afterNextPaint()
      const note = draftStore.$draft.get().notes.find(n => n.id === id)
      if (note) desk.go(note)
    },
    onPin: (id: string) => put(id, n => ({ ...n, ...player.notePosition(), video: $clipId.get() })),
    onEnd(id: string) {
      const shown = player.$frame.get()
      put(id, ({ until: _, ...note }) =>
        note.video === $clipId.get() && note.frame !== undefined && shown > note.frame ? { ...note, until: shown } : note,
      )
    },
    onDraw: draw.drawOn,
    onPhrases: () => desk.$dialog.set('phrases'),
  }
}

/** The notes of a review while they are written. A key that writes in one draws that one alone. */
export function Notes({ desk, draw, speaking }: { desk: Desk; draw: Draw; speaking: Speaking }) {
  const phrases = useQuery('GET /api/phrases').data?.phrases ?? NONE
  const clips = useStore(desk.$clips)
  const order = useDraftSelector(desk.draftStore, d =>
    ordered(d.notes, clips)
      .map(n => n.id)
      .join(' '),
  )
  const acts = useMemo(() => actsOf(desk, draw), [desk, draw])
  if (!order) {
    return (
      <>
        <WholeVoices speaking={speaking} />
        <p className="text-ink-2">
          Stop at the frame you want to talk about and press{' '}
          <span className="pointer-coarse:hidden">
            <kbd className="font-sans font-medium text-ink">M</kbd>, or “Note” under the video. Or say it: press{' '}
            <kbd className="font-sans font-medium text-ink">V</kbd>.
          </span>
          {/* No keys, and on a tablet the buttons have no words. */}
          <span className="hidden pointer-coarse:inline">
            <Plus {...inline} aria-label="Note" /> under the video. Or say it: press <Mic {...inline} aria-label="Record voice-over" />.
          </span>
        </p>
      </>
    )
  }
  return (
    <>
      <WholeVoices speaking={speaking} />
      <ol className="flex flex-col gap-2">
        {order.split(' ').map((id, i) => (
          <Numbered key={id} {...{ id, desk, speaking, phrases, acts }} number={i + 1} />
        ))}
      </ol>
    </>
  )
}

interface Its {
  id: string
  number: number
  desk: Desk
  speaking: Speaking
  phrases: readonly Phrase[]
  acts: ReturnType<typeof actsOf>
}

/** A note that comes before others gives them other numbers: it shows first, they follow. */
const Numbered = memo((its: Its) => <Card {...its} number={useDeferredValue(its.number)} />)

const Card = memo(function Card({ id, number, desk, speaking, phrases, acts }: Its) {
  const { draftStore } = desk
  const note = useDraftSelector(draftStore, d => d.notes.find(n => n.id === id))
  const voice = useDraftSelector(draftStore, d => note?.voice && d.voices?.find(v => v.id === note.voice))
  const current = useStoreEquals(desk.$current, id)
  const fresh = useStoreEquals(desk.$fresh, id)
  if (!note) return null
  return (
    <NoteCard {...{ note, number, current, fresh, phrases }} {...acts}>
      {voice && <VoiceCard voice={voice} of={`of note ${number}`} speaking={speaking} />}
    </NoteCard>
  )
})
