import { useStore } from '@nanostores/react'
import { Keyboard, Plus } from 'lucide-react'
import { lazy, Suspense, useEffect, useMemo, useState } from 'react'
import { v7 } from 'uuid'
import type { Draft, Folder } from '../../../modules/folders/contract.ts'
import { NOTES_PER_REVIEW, TEXT_LENGTH } from '../../../modules/folders/policy.ts'
import { painted } from '../../client/painted.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { TextArea } from '../../ui/field.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { ClipTabs } from '../folder/ClipTabs.tsx'
import { ordered } from '../folder/notes.ts'
import { createPlayer } from '../folder/player.ts'
import { Stage } from '../folder/Stage.tsx'
import { Bar } from './Bar.tsx'
import { createDraft } from './draft.ts'
import { GradePicker } from './GradePicker.tsx'
import { full } from './missing.ts'
import { NoteCard } from './NoteCard.tsx'
import { SavedState } from './SavedState.tsx'
import { shelfOf } from './shelf.ts'
import { useShortcuts } from './shortcuts.ts'

const Deliver = lazy(() => import('./Deliver.tsx').then(m => ({ default: m.Deliver })))
const Help = lazy(() => import('./Help.tsx').then(m => ({ default: m.Help })))

/** The draft of this assignment for as long as the studio is open. */
function useKeeper(folder: Folder) {
  const [{ keeper, shelf }] = useState(() => {
    const shelf = shelfOf({ folder: folder.id, assignment: folder.assignment! }, revision => keeper.heard(revision))
    const keeper = createDraft(shelf)
    return { keeper, shelf }
  })
  const [failed, setFailed] = useState(false)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>
    const load = () =>
      keeper.load().then(
        () => setFailed(false),
        () => {
          setFailed(true)
          timer = setTimeout(load, 5000)
        },
      )
    load()
    const hidden = () => document.visibilityState === 'hidden' && keeper.save()
    document.addEventListener('visibilitychange', hidden)
    return () => {
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', hidden)
      keeper.stop()
      shelf.close()
    }
  }, [keeper, shelf])
  return { keeper, failed }
}

/** Where a review is written: the video, notes pinned to its frames, the summary and the grades. */
export function Studio({ folder, renew }: { folder: Folder; renew: () => void }) {
  const { clips } = folder
  const [player] = useState(() => createPlayer(renew))
  const { keeper, failed } = useKeeper(folder)
  const draft = useStore(keeper.$draft)
  const saved = useStore(keeper.$saved)
  const [selected, setSelected] = useState(clips[0]?.id)
  const [current, setCurrent] = useState<string>()
  const [fresh, setFresh] = useState<string>()
  const [tab, setTab] = useState('notes')
  const [dialog, setDialog] = useState<'deliver' | 'help'>()
  const clip = clips.find(c => c.id === selected) ?? clips[0]
  const notes = useMemo(() => ordered(draft.notes, clips), [draft.notes, clips])
  const loading = saved === 'loading'

  const edit = (change: Partial<Draft>) => keeper.change(d => ({ ...d, ...change }))
  const editNote = (id: string, change: Partial<Draft['notes'][number]>) =>
    keeper.change(d => ({ ...d, notes: d.notes.map(n => (n.id === id ? { ...n, ...change } : n)) }))

  function addNote() {
    if (!clip || loading || draft.notes.length >= NOTES_PER_REVIEW) return
    player.pause()
    const id = v7()
    keeper.change(d => ({ ...d, notes: [...d.notes, { id, video: clip.id, at: player.$time.get(), kind: 'technique', text: '' }] }))
    setTab('notes')
    setCurrent(id)
    setFresh(id)
  }
  function go(note: { id: string; video: string; at: number }) {
    const target = clips.find(c => c.id === note.video)
    setCurrent(note.id)
    if (!target) return
    player.pause()
    setSelected(target.id)
    player.load(target, { at: note.at, play: false })
  }
  useShortcuts(player, { note: addNote, help: () => setDialog('help') })
  if (!clip) return null

  return (
    <div className="flex min-h-dvh flex-col lg:h-dvh">
      <Bar folder={folder}>
        {failed && loading ? (
          <p role="status" className="text-13 font-medium text-gold">
            The draft does not load. Trying again.
          </p>
        ) : (
          <SavedState draft={keeper} />
        )}
        <IconButton label="Keys" onClick={() => setDialog('help')} className="max-lg:hidden">
          <Keyboard aria-hidden="true" size={20} strokeWidth={1.75} />
        </IconButton>
        <Button disabled={loading} onClick={() => setDialog('deliver')}>
          Deliver
        </Button>
      </Bar>
      <div className="min-h-0 flex-1 lg:grid lg:grid-cols-[minmax(0,1fr)_26rem]">
        <div className="z-10 flex min-h-0 min-w-0 flex-col border-line bg-paper max-lg:sticky max-lg:top-0 max-lg:h-[55dvh] max-lg:border-b">
          <div className="min-h-0 flex-1">
            <Stage
              fill
              player={player}
              clip={clip}
              notes={notes.filter(n => n.video === clip.id)}
              current={current}
              onNote={go}
              extra={
                <Button
                  variant="secondary"
                  size="sm"
                  aria-keyshortcuts="M"
                  disabled={loading}
                  icon={<Plus aria-hidden="true" size={18} strokeWidth={2} />}
                  onClick={() => painted().then(addNote)}
                  className="mr-1"
                >
                  Note
                </Button>
              }
            />
          </div>
          {clips.length > 1 && (
            <ClipTabs
              clips={clips}
              selected={clip.id}
              onSelect={c => {
                setSelected(c.id)
                setCurrent(undefined)
              }}
              notes={id => notes.filter(n => n.video === id).length}
              className="shrink-0 border-t border-line p-2"
            />
          )}
        </div>
        <aside aria-label="Review" className="min-h-0 border-line p-4 lg:overflow-y-auto lg:border-l">
          {folder.message && (
            <p className="mb-4 rounded-field bg-ink-wash p-3">
              <span className="block text-13 font-medium text-ink-2">{folder.player.name.split(' ')[0]} writes</span>
              <span className="wrap-anywhere whitespace-pre-line">{folder.message}</span>
            </p>
          )}
          <Tabs
            label="Parts of the review"
            value={tab}
            onValueChange={setTab}
            tabs={[
              {
                value: 'notes',
                label: `Notes ${notes.length || ''}`,
                content: notes.length ? (
                  <ol className="flex flex-col gap-2">
                    {notes.map((note, i) => (
                      <NoteCard
                        key={note.id}
                        note={note}
                        number={i + 1}
                        current={note.id === current}
                        fresh={note.id === fresh}
                        onChange={change => editNote(note.id, change)}
                        onRemove={() => edit({ notes: draft.notes.filter(n => n.id !== note.id) })}
                        onGo={() => note.id !== current && go(note)}
                        onPin={() => editNote(note.id, { at: player.$time.get(), video: clip.id })}
                      />
                    ))}
                  </ol>
                ) : (
                  <p className="text-ink-2">
                    Stop at the frame you want to talk about and press <kbd className="font-sans font-medium text-ink">M</kbd>, or “Note”
                    under the video.
                  </p>
                ),
              },
              {
                value: 'summary',
                label: 'Summary and grades',
                content: (
                  <div className="flex flex-col gap-8">
                    <TextArea
                      label="Summary"
                      hint="The one thing to work on, and how. They read this first."
                      rows={6}
                      maxLength={TEXT_LENGTH}
                      error={full(draft.summary)}
                      disabled={loading}
                      value={draft.summary}
                      onChange={e => edit({ summary: e.currentTarget.value })}
                    />
                    <GradePicker grades={draft.grades} onChange={grades => edit({ grades })} />
                  </div>
                ),
              },
            ]}
          />
        </aside>
      </div>
      <Suspense fallback={null}>
        {dialog === 'deliver' && (
          <Deliver
            folder={folder}
            draft={draft}
            keeper={keeper}
            onClose={() => setDialog(undefined)}
            onGo={place => {
              const note = draft.notes.find(n => n.id === place)
              setTab(note ? 'notes' : 'summary')
              if (!note) return
              go(note)
              setFresh(note.id)
            }}
          />
        )}
        {dialog === 'help' && <Help onClose={() => setDialog(undefined)} />}
      </Suspense>
    </div>
  )
}
