import { useStore } from '@nanostores/react'
import { BookMarked, Keyboard } from 'lucide-react'
import { atom } from 'nanostores'
import { lazy, Suspense, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { v7 } from 'uuid'
import type { Folder, NoteKind, Session } from '../../../modules/folders/contract.ts'
import { NOTES_PER_REVIEW } from '../../../modules/folders/policy.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { afterPaint } from '../../ui/painted.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { Comparisons } from '../compare/Comparisons.tsx'
import { Label } from '../drawing/Label.tsx'
import { Tools } from '../drawing/Tools.tsx'
import { MOST, type View, whole } from '../drawing/view.ts'
import { createPlayer } from '../folder/player.ts'
import { renewing } from '../folder/renew.ts'
import type { Following } from '../voice/follow.ts'
import { led } from '../voice/led.ts'
import { RecordButton } from '../voice/RecordButton.tsx'
import { useSpeaking } from '../voice/speaking.ts'
import { VoiceBar } from '../voice/VoiceBar.tsx'
import { Bar } from './Bar.tsx'
import { useDrawing } from './drawing.ts'
import { Film } from './Film.tsx'
import { useKeeper } from './keeper.ts'
import { Notes, NotesCount } from './Notes.tsx'
import { placeOf, usePlace } from './place.ts'
import { OWN_LINE, SavedState } from './SavedState.tsx'
import { Summary } from './Summary.tsx'
import { useShortcuts } from './shortcuts.ts'
import { useTechnique } from './technique.ts'

const Before = lazy(() => import('./Before.tsx').then(m => ({ default: m.Before })))
const Deliver = lazy(() => import('./Deliver.tsx').then(m => ({ default: m.Deliver })))
const Compare = lazy(() => import('../compare/Compare.tsx').then(m => ({ default: m.Compare })))
const Phrases = lazy(() => import('./phrases/Phrases.tsx').then(m => ({ default: m.Phrases })))
const Help = lazy(() => import('./Help.tsx').then(m => ({ default: m.Help })))
const Technique = lazy(() => import('./Technique.tsx').then(m => ({ default: m.Technique })))

/** A tab's content comes a few frames after its press, more on a slow machine. */
const FRAMES = 120
function focusSoon(field: string, frames = FRAMES) {
  const there = document.querySelector<HTMLElement>(field)
  if (there) there.focus()
  else if (frames) requestAnimationFrame(() => focusSoon(field, frames - 1))
}

/** Where a review is written: the video, notes pinned to its frames, the summary and the grades. */
export function Studio({ folder, session }: { folder: Folder; session: Session }) {
  const { clips, message } = session
  const [left] = useState(() => placeOf(session.id))
  const [player] = useState(() => {
    const player = createPlayer(renewing(folder.id))
    const clip = clips.find(c => c.id === left.clip)
    if (clip) player.load(clip, { frame: left.frame ?? 0, play: false })
    return player
  })
  const { keeper, failed } = useKeeper({ folder: folder.id, session: session.id })
  const saved = useStore(keeper.$saved)
  const [selected, setSelected] = useState(left.clip ?? clips[0]?.id)
  const [current, setCurrent] = useState(left.note)
  const [fresh, setFresh] = useState<string>()
  const [kind, setKind] = useState<NoteKind>('technique')
  const [$view] = useState(() => atom<View>(whole))
  const [tab, setTab] = useState(left.tab ?? 'notes')
  const [dialog, setDialog] = useState<'deliver' | 'help' | 'phrases'>()
  /** The comparer is in the place of the stage, with this comparison or none yet. */
  const [comparing, setComparing] = useState<{ id: string | undefined }>()
  const [compared, setCompared] = useState<string>()
  const clip = clips.find(c => c.id === selected) ?? clips[0]
  const loading = saved === 'loading'
  const compare = useCallback(
    (id: string | undefined) => {
      if (loading) return
      player.pause()
      setCompared(id)
      setComparing({ id })
    },
    [loading, player],
  )
  const forgetPlace = usePlace(session.id, player, { clip: clip?.id, tab, note: current })

  // The same functions at every change: what did not change is not drawn anew.
  const focusNote = useCallback((id: string) => {
    setTab('notes')
    setFresh(undefined)
    setTimeout(() => setFresh(id))
  }, [])
  const addNote = useCallback(() => {
    if (!clip || loading) return
    const { notes } = keeper.$draft.get()
    player.pause()
    // A drawing has made a note here already: it only lacks its words.
    const silent = notes.find(n => n.id === current && n.video === clip.id && !n.text && player.frameOf(n) === player.$frame.get())
    if (silent) return focusNote(silent.id)
    if (notes.length >= NOTES_PER_REVIEW) return
    const id = v7()
    keeper.change(d => ({ ...d, notes: [...d.notes, { id, video: clip.id, ...player.pin(), kind, text: '' }] }))
    setTab('notes')
    setCurrent(id)
    setFresh(id)
  }, [clip, loading, keeper, player, current, kind, focusNote])
  /** Whoever goes somewhere by hand has the stage, whatever voice leads it. */
  const letGo = useRef(() => {})
  const go = useCallback(
    (note: { id: string; video: string; at: number; frame?: number }) => {
      const target = clips.find(c => c.id === note.video)
      setCurrent(note.id)
      setComparing(undefined)
      letGo.current()
      if (!target) return
      player.pause()
      setSelected(target.id)
      player.load(target, { ...note, play: false })
    },
    [clips, player],
  )
  const choose = useCallback((c: Session['clips'][number]) => {
    letGo.current()
    setSelected(c.id)
    setCurrent(undefined)
  }, [])
  const shown = useCallback((id: string) => {
    setTab('notes')
    setCurrent(id)
  }, [])
  const [$act] = useState(() => atom<Following | null>(null))
  const draw = useDrawing(keeper, player, { clip, current, kind, $act, onNote: shown })
  const { pencil, acts, toggle, stay, writing, setWriting, pasteable } = draw
  const speaking = useSpeaking({
    ...{ folder: folder.id, session, keeper, player, clip, current, kind, $view, pencil, $act, loading, onNote: shown },
    onClip(video, at) {
      const target = clips.find(c => c.id === video)
      if (!target) return
      setComparing(undefined)
      setSelected(video)
      player.load(target, at)
    },
  })
  const { recorder, replay } = speaking
  useEffect(() => {
    if (!comparing) return
    // The stage goes: what was said on it is kept.
    void recorder.stop()
    replay.close()
  }, [comparing, recorder, replay])
  letGo.current = () => replay.$voice.get() && replay.leave()
  const hands = useMemo(() => led(player, replay), [player, replay])
  const more = useMemo(() => <RecordButton speaking={speaking} disabled={loading} />, [speaking, loading])
  const over = useMemo(
    () => (
      <>
        <VoiceBar recorder={recorder} onAgain={speaking.record} />
        <Tools {...{ pencil, acts, stay, pasteable }} />
        {writing && (
          <Label
            at={writing}
            onDone={text => {
              setWriting(undefined)
              pencil.label(writing, text)
            }}
          />
        )}
      </>
    ),
    [pencil, acts, stay, pasteable, writing, setWriting, recorder, speaking],
  )
  const onDraw = useCallback(() => {
    if (loading) return
    toggle()
    // Keys draw on the picture itself.
    setTimeout(() => document.querySelector<HTMLElement>('[role=application]')?.focus({ preventScroll: true }))
  }, [loading, toggle])
  /** The comparison of last time, or the clips to choose from. */
  const onCompare = useCallback(
    () => compare(keeper.$draft.get().comparisons?.find(c => c.id === compared)?.id ?? keeper.$draft.get().comparisons?.at(-1)?.id),
    [compare, compared, keeper],
  )
  /** From a note to the picture, with the pencil that is in the hand, or the last one. */
  const drawOn = useCallback(() => {
    if (pencil.$instrument.get()) document.querySelector<HTMLElement>('[role=application]')?.focus({ preventScroll: true })
    else onDraw()
  }, [pencil, onDraw])
  const onPhrases = useCallback(() => setDialog('phrases'), [])
  /** Shows a part of the review's other half, and leads to what one presses or writes in there first. */
  const turnTo = (field: string) => {
    setTab('summary')
    focusSoon(field)
  }
  const technique = useTechnique(keeper, hands, {
    ...{ clip, loading, open: () => setTab('technique') },
    show: (video, frame) => go({ id: '', video, at: 0, frame }),
  })
  useShortcuts(comparing ? undefined : hands, {
    compare: onCompare,
    position: technique.setNumber,
    jump: technique.jump,
    note: addNote,
    write: () => current && keeper.$draft.get().notes.some(n => n.id === current) && focusNote(current),
    phrases: onPhrases,
    summary: () => turnTo('#summary'),
    deliver: () => loading || setDialog('deliver'),
    turn: by => {
      const next = clips[clips.findIndex(c => c.id === clip?.id) + by]
      if (next) choose(next)
    },
    help: () => setDialog('help'),
    before: () => setTab(now => (now === 'before' ? 'notes' : 'before')),
    draw: onDraw,
    voice: speaking.record,
    undo: acts.undo,
    redo: acts.redo,
    copy: acts.copy,
    paste: acts.paste,
    zoom: factor => $view.set(factor ? { ...$view.get(), scale: Math.min(MOST, Math.max(1, $view.get().scale * factor)) } : whole),
  })
  if (!clip) return null

  return (
    <div className="flex min-h-dvh flex-col lg:h-dvh">
      <Bar folder={folder}>
        {failed && loading ? (
          <p role="status" className={cx('text-13 font-medium text-gold', OWN_LINE)}>
            The draft does not load. Trying again.
          </p>
        ) : (
          <SavedState draft={keeper} />
        )}
        <IconButton label="Phrases and drills" aria-keyshortcuts="P" onClick={onPhrases}>
          <BookMarked aria-hidden="true" size={20} strokeWidth={1.75} />
        </IconButton>
        <IconButton label="Keys" onClick={() => setDialog('help')} className="max-lg:hidden">
          <Keyboard aria-hidden="true" size={20} strokeWidth={1.75} />
        </IconButton>
        <Button disabled={loading} onClick={afterPaint(() => setDialog('deliver'))}>
          Deliver
        </Button>
      </Bar>
      {/* Of the same kind at every width: WebKit builds a box that becomes another anew, and the video's picture with it. */}
      <div className="flex min-h-0 flex-1 flex-col lg:flex-row">
        {comparing ? (
          <div className="z-10 min-h-0 min-w-0 border-line bg-paper max-lg:h-[90dvh] max-lg:shrink-0 max-lg:border-b lg:flex-1">
            <Suspense fallback={null}>
              <Compare
                folder={folder.id}
                session={session.id}
                {...{ keeper, clip }}
                frame={player.$frame.get()}
                shown={comparing.id}
                onShow={compare}
                onClose={() => setComparing(undefined)}
              />
            </Suspense>
          </div>
        ) : (
          <Film
            keeper={keeper}
            player={hands}
            clips={clips}
            clip={clip}
            current={current}
            loading={loading}
            onNote={go}
            onClip={choose}
            onAdd={addNote}
            onDraw={onDraw}
            onCompare={onCompare}
            drawing={draw.drawing}
            $view={$view}
            over={over}
            more={more}
            $spoken={speaking.$spoken}
            $heard={technique.$heard}
          />
        )}
        <aside aria-label="Review" className="border-line p-4 lg:min-h-0 lg:w-104 lg:shrink-0 lg:overflow-y-auto lg:border-l">
          {message && (
            <p className="mb-4 rounded-field bg-ink-wash p-3">
              <span className="block text-13 font-medium text-ink-2">{folder.player.name.split(' ')[0]} writes</span>
              <span className="wrap-anywhere whitespace-pre-line">{message}</span>
            </p>
          )}
          <Tabs
            label="Parts of the review"
            value={tab}
            onValueChange={setTab}
            tabs={[
              {
                value: 'notes',
                label: <NotesCount keeper={keeper} />,
                content: (
                  <Notes
                    {...{ keeper, clips, clip, player, current, fresh, speaking }}
                    onGo={go}
                    onKind={setKind}
                    onDraw={drawOn}
                    onPhrases={onPhrases}
                  />
                ),
              },
              {
                value: 'technique',
                label: 'Technique',
                content: (
                  <div className="flex flex-col gap-8">
                    <Suspense fallback={<Skeleton className="h-80" />}>
                      <Technique {...{ keeper, player, clip }} act={technique} folder={folder.id} session={session.id} />
                    </Suspense>
                    <Comparisons
                      folder={folder.id}
                      session={session.id}
                      {...{ keeper, loading }}
                      shown={comparing?.id}
                      onShow={compare}
                      onDeleted={id => comparing?.id === id && setComparing(undefined)}
                    />
                  </div>
                ),
              },
              {
                value: 'summary',
                label: 'Summary',
                content: <Summary keeper={keeper} loading={loading} first={folder.player.name.split(' ')[0]!} />,
              },
              {
                value: 'before',
                label: 'Before',
                content: (
                  <Suspense fallback={<Skeleton className="h-14" />}>
                    <Before player={folder.player} />
                  </Suspense>
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
            session={session.id}
            keeper={keeper}
            voices={speaking.voices}
            onClose={() => setDialog(undefined)}
            clips={clips}
            onDelivered={forgetPlace}
            onGo={place => {
              if (place === 'technique') return setTab(place)
              const note = keeper.$draft.get().notes.find(n => n.id === place)
              const video = clips.find(c => c.id === place)
              if (note) {
                go(note)
                focusNote(note.id)
              } else if (video) choose(video)
              else if (place === 'picture') drawOn()
              else turnTo(place === 'goals' ? '[aria-labelledby=goals] textarea, [aria-labelledby=goals] > button' : '#summary')
            }}
          />
        )}
        {dialog === 'phrases' && <Phrases onClose={() => setDialog(undefined)} />}
        {dialog === 'help' && <Help onClose={() => setDialog(undefined)} />}
      </Suspense>
    </div>
  )
}
