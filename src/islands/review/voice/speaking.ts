import { atom } from 'nanostores'
import { useEffect, useState } from 'react'
import { v7 } from 'uuid'
import type { Draft, Session } from '../../../../modules/folders/contract.ts'
import { NOTES_PER_REVIEW } from '../../../../modules/folders/policy.ts'
import type { Shape, Voice } from '../../../../modules/reviews/contract.ts'
import { VOICES_PER_REVIEW } from '../../../../modules/reviews/policy.ts'
import { useIsDraftLoading } from '../../../draft/draft-selectors.ts'
import type { Pencil } from '../../../drawing/pencil.ts'
import { toast } from '../../../ui/toast.ts'
import type { StoredRecording } from '../../../voice/recording-storage.ts'
import { createStageRecorder } from '../../../voice/stage-recorder.ts'
import { createVoiceOvers } from '../../../voice/voice-overs.ts'
import { createVoiceRecorder } from '../../../voice/voice-recorder.ts'
import { createVoiceReplay } from '../../../voice/voice-replay.ts'
import type { Desk } from '../studio-store.ts'

type Note = Draft['notes'][number]

interface Of {
  folder: string
  /** As the screen knows it now. */
  session: () => Session
  pencil: Pencil
}

export type Speaking = ReturnType<typeof createSpeaking>

function createSpeaking(desk: Desk, { folder, session, pencil }: Of) {
  const { draftStore, player, $view, $act } = desk
  /** Drawings of the voice that is recorded or heard. */
  const $spoken = atom<readonly Shape[]>([])
  const voices = createVoiceOvers({ folder, session: session().id, draftStore, publishedVoices: () => session().voices })
  const replay = createVoiceReplay({ player, $view, onClip: desk.show, sound: voices.sound })
  /** Id of what is said anew. */
  let instead: string | undefined

  const recorder = createVoiceRecorder(voices.storage, async kept => {
    const kept_ = await voices.addToDraft(kept, instead)
    if (kept_ && kept.note) desk.shown(kept.note.id)
    else if (!kept_) toast({ title: 'Nothing was recorded', description: 'There was no sound in it. Check your microphone and try again.' })
  })

  /** The note at this frame that is being written, else a new one; over the whole review where no note fits anymore. */
  function noteHere(): Note | undefined {
    const [clip, current] = [desk.$clip.get(), desk.$current.get()]
    const { notes } = draftStore.$draft.get()
    const here = player.$frame.get()
    const on = notes.find(n => n.id === current && n.video === clip?.id && n.voice === undefined)
    if (on && here >= player.frameOf(on) && here <= (on.until ?? player.frameOf(on))) return on
    if (!clip || notes.length >= NOTES_PER_REVIEW) return undefined
    return { id: v7(), video: clip.id, ...player.notePosition(), kind: desk.kind(), text: '' }
  }

  function start(noteOf: () => Note | undefined, of?: string) {
    if (desk.loading() || !desk.isVisible()) return
    if (!of && (draftStore.$draft.get().voices ?? []).length >= VOICES_PER_REVIEW) {
      toast({ title: 'That is all that fits', description: `A review has at most ${VOICES_PER_REVIEW} voice-overs. Delete one first.` })
      return
    }
    instead = of
    replay.close()
    const kept: Pick<StoredRecording, 'session' | 'note'> & { id: string } = { id: v7(), session: session().id }
    void recorder.start({
      recording: kept,
      stage: clock => {
        kept.note = noteOf()
        player.setMuted(true)
        const act = createStageRecorder({ player, $view, $clip: desk.$clipId, pencil }, clock)
        $act.set(act)
        return {
          track: act.track,
          shapes: act.shapes,
          stop() {
            act.stop()
            $act.set(null)
            player.setMuted(false)
          },
        }
      },
    })
  }

  const noteOf = (id: string) => draftStore.$draft.get().notes.find(n => n.voice === id)

  return {
    ...{ draftStore, recorder, voices, replay, $spoken },
    /** Begins at this frame, or ends what goes on. */
    record() {
      if (recorder.$recording.get().is !== 'idle') void recorder.stop()
      else start(noteHere)
    },
    /** Says one anew, at the same place; the old one stays until the new one is there. */
    again(voice: Voice) {
      desk.show(voice.video, { frame: voice.frame, play: false })
      start(() => noteOf(voice.id), voice.id)
    },
    /** It is over the whole review from now on. */
    spread: (voice: Voice) => voices.pin(voice, undefined),
    /** It is about the frame that is shown. */
    pin(voice: Voice) {
      const note = noteHere()
      if (!note) return
      voices.pin(voice, note)
      desk.shown(note.id)
    },
    async drop(id: string) {
      if (replay.$voice.get()?.id === id) replay.close()
      await voices.deleteVoice(id)
    },
    async found(kept: StoredRecording) {
      const note = kept.note && (draftStore.$draft.get().notes.find(n => n.id === kept.note!.id) ?? kept.note)
      if (!(await voices.addToDraft({ ...kept, note })))
        toast({ title: 'Nothing was left of it', description: 'The recording broke off before there was any sound.' })
      else if (note) desk.shown(note.id)
    },
  }
}

/** Voice-overs in the studio: recording them, hearing them, and keeping them safe. */
export function useSpeaking(desk: Desk, of: Of) {
  const [speaking] = useState(() => createSpeaking(desk, of))
  const loading = useIsDraftLoading(desk.draftStore)
  const { $act, $clipId } = desk
  const { $spoken, recorder, replay, voices } = speaking

  useEffect(() => {
    if (loading) return
    const end = voices.retryWhenOnline()
    void voices.load()
    return end
  }, [loading, voices])
  useEffect(() => {
    const show = () => $spoken.set($act.get()?.shapesOn($clipId.get()) ?? replay.$shapes.get())
    let drawn = () => {}
    const stop = [
      $act.subscribe(act => {
        drawn()
        drawn = act?.$drawn.listen(show) ?? (() => {})
        show()
      }),
      $clipId.listen(show),
      replay.$shapes.listen(show),
    ]
    return () => {
      drawn()
      for (const end of stop) end()
    }
  }, [$act, $clipId, $spoken, replay])
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
