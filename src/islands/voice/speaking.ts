import { atom, type WritableAtom } from 'nanostores'
import { useEffect, useRef, useState } from 'react'
import { v7 } from 'uuid'
import type { Draft, NoteKind, Session, Video } from '../../../modules/folders/contract.ts'
import { NOTES_PER_REVIEW } from '../../../modules/folders/policy.ts'
import type { Shape, Voice } from '../../../modules/reviews/contract.ts'
import { VOICES_PER_REVIEW } from '../../../modules/reviews/policy.ts'
import { toast } from '../../ui/toast.ts'
import type { Pencil } from '../drawing/pencil.ts'
import type { View } from '../drawing/view.ts'
import type { Player } from '../folder/player.ts'
import type { DraftKeeper } from '../review/draft.ts'
import type { Kept } from './device.ts'
import { type Following, follow } from './follow.ts'
import { createRecorder } from './recorder.ts'
import { createReplay } from './replay.ts'
import { createVoices } from './voices.ts'

type Note = Draft['notes'][number]

interface Studio {
  folder: string
  session: Session
  keeper: DraftKeeper
  player: Player
  clip: Video | undefined
  /** Id of the note that is being written. */
  current: string | undefined
  kind: NoteKind
  $view: WritableAtom<View>
  pencil: Pencil
  /** What is recorded now takes what is drawn. */
  $act: WritableAtom<Following | null>
  loading: boolean
  /** Shows a note as the current one. */
  onNote: (id: string) => void
  /** Shows a clip, from a frame of it. */
  onClip: (video: string, at: { frame: number; play: boolean }) => void
}

export type Speaking = ReturnType<typeof createSpeaking>

function createSpeaking(latest: () => Studio) {
  const { folder, session, keeper, player, $view, pencil, $act } = latest()
  const $clip = atom(latest().clip?.id ?? '')
  /** Drawings of the voice that is recorded or heard. */
  const $spoken = atom<readonly Shape[]>([])
  const voices = createVoices({ folder, session: session.id, keeper, addresses: () => latest().session.voices })
  const replay = createReplay({ player, $view, onClip: (video, at) => latest().onClip(video, at), sound: voices.sound })
  /** Id of what is said anew. */
  let instead: string | undefined

  const recorder = createRecorder(voices.device, async kept => {
    const kept_ = await voices.keep(kept, instead)
    if (kept_ && kept.note) latest().onNote(kept.note.id)
    else if (!kept_) toast({ title: 'Nothing was recorded', description: 'There was no sound in it. Check your microphone and try again.' })
  })

  /** The note at this frame that is being written, else a new one; over the whole review where no note fits anymore. */
  function noteHere(): Note | undefined {
    const { clip, current, kind } = latest()
    const { notes } = keeper.$draft.get()
    const here = player.$frame.get()
    const on = notes.find(n => n.id === current && n.video === clip?.id && n.voice === undefined)
    if (on && here >= player.frameOf(on) && here <= (on.until ?? player.frameOf(on))) return on
    if (!clip || notes.length >= NOTES_PER_REVIEW) return undefined
    return { id: v7(), video: clip.id, ...player.pin(), kind, text: '' }
  }

  function start(noteOf: () => Note | undefined, of?: string) {
    if (latest().loading) return
    if (!of && (keeper.$draft.get().voices ?? []).length >= VOICES_PER_REVIEW) {
      toast({ title: 'That is all that fits', description: `A review has at most ${VOICES_PER_REVIEW} voice-overs. Delete one first.` })
      return
    }
    instead = of
    replay.close()
    const kept: Pick<Kept, 'session' | 'note'> & { id: string } = { id: v7(), session: session.id }
    void recorder.start({
      kept,
      act: clock => {
        kept.note = noteOf()
        player.mute(true)
        const act = follow({ player, $view, $clip, pencil }, clock)
        $act.set(act)
        return {
          track: act.track,
          shapes: act.shapes,
          stop() {
            act.stop()
            $act.set(null)
            player.mute(false)
          },
        }
      },
    })
  }

  const noteOf = (id: string) => keeper.$draft.get().notes.find(n => n.voice === id)

  return {
    ...{ keeper, recorder, voices, replay, $clip, $spoken },
    /** Begins at this frame, or ends what goes on. */
    record() {
      if (recorder.$recording.get().is !== 'idle') void recorder.stop()
      else start(noteHere)
    },
    /** Says one anew, at the same place; the old one stays until the new one is there. */
    again(voice: Voice) {
      latest().onClip(voice.video, { frame: voice.frame, play: false })
      start(() => noteOf(voice.id), voice.id)
    },
    /** It is over the whole review from now on. */
    spread: (voice: Voice) => voices.pin(voice, undefined),
    /** It is about the frame that is shown. */
    pin(voice: Voice) {
      const note = noteHere()
      if (!note) return
      voices.pin(voice, note)
      latest().onNote(note.id)
    },
    async drop(id: string) {
      if (replay.$voice.get()?.id === id) replay.close()
      await voices.drop(id)
    },
    async found(kept: Kept) {
      const note = kept.note && (keeper.$draft.get().notes.find(n => n.id === kept.note!.id) ?? kept.note)
      if (!(await voices.keep({ ...kept, note })))
        toast({ title: 'Nothing was left of it', description: 'The recording broke off before there was any sound.' })
      else if (note) latest().onNote(note.id)
    },
  }
}

/** Voice-overs in the studio: recording them, hearing them, and keeping them safe. */
export function useSpeaking(studio: Studio) {
  const latest = useRef(studio)
  latest.current = studio
  const [speaking] = useState(() => createSpeaking(() => latest.current))
  const { clip, loading, $act } = studio
  const { $clip, $spoken, recorder, replay, voices } = speaking
  const id = clip?.id ?? ''

  useEffect(() => {
    if (id !== $clip.get()) $clip.set(id)
  }, [id, $clip])
  useEffect(() => {
    if (loading) return
    const end = voices.watch()
    void voices.load()
    return end
  }, [loading, voices])
  useEffect(() => {
    const show = () => $spoken.set($act.get()?.shown($clip.get()) ?? replay.$shapes.get())
    let drawn = () => {}
    const stop = [
      $act.subscribe(act => {
        drawn()
        drawn = act?.$drawn.listen(show) ?? (() => {})
        show()
      }),
      $clip.listen(show),
      replay.$shapes.listen(show),
    ]
    return () => {
      drawn()
      for (const end of stop) end()
    }
  }, [$act, $clip, $spoken, replay])
  useEffect(() => {
    const leaving = () => recorder.flush()
    addEventListener('pagehide', leaving)
    document.addEventListener('visibilitychange', leaving)
    return () => {
      removeEventListener('pagehide', leaving)
      document.removeEventListener('visibilitychange', leaving)
      void recorder.stop()
      replay.close()
    }
  }, [recorder, replay])
  return speaking
}
