import { atom } from 'nanostores'
import { useEffect, useMemo } from 'react'
import type { Skill } from '../../../modules/accounts/contract.ts'
import type { TechniquePosition } from '../../../modules/reviews/contract.ts'
import type { VideoPlayerClip } from '../../player/clip-source.ts'
import { readWithRenewedUrls } from '../../player/read-with-renewed-urls.ts'
import type { VideoPlayer } from '../../player/video-player.ts'
import {
  adjacentTechniquePosition,
  CONTACT_POSITION,
  techniquePositionNames,
  techniquePositionsOfVideo,
  withoutTechniquePosition,
  withTechniquePosition,
} from '../../technique/edit-and-group-technique-positions.ts'
import { toast } from '../../ui/toast.ts'
import type { StudioStore } from './studio-store.ts'

/** State of a search for contact in a clip's sound. `away`: the sound did not load; `frames`: candidates; `at`: index of the one shown. */
export type ContactSoundSearch = { video: string } & (
  | { is: 'listening' | 'silent' | 'nothing' | 'unprepared' | 'away' }
  | { is: 'found'; frames: number[]; at: number }
)

export type TechniqueEditor = ReturnType<typeof useTechniqueEditor>

/**
 * Sets technique positions on frames of the current clip. `player` is the guarded player, which pauses a voice-over before it moves the
 * stage.
 */
export function useTechniqueEditor(studio: StudioStore, player: VideoPlayer) {
  const editor = useMemo(() => {
    /** The chosen skill. Until one is chosen, the skill of the last position or session is used. */
    const $skill = atom<Skill | undefined>()
    const $contactSearch = atom<ContactSoundSearch | undefined>()
    let abort = new AbortController()
    const { autosavedDraft, $clip, $clipId } = studio
    const show = ({ video, frame }: TechniquePosition) => studio.goToMoment({ id: '', video, at: 0, frame })
    const allCheckpoints = () => autosavedDraft.$draft.get().checkpoints ?? []
    const skill = (): Skill => $skill.get() ?? allCheckpoints().at(-1)?.skill ?? 'hitting'
    const pointsOfClip = () => techniquePositionsOfVideo(allCheckpoints(), $clipId.get(), skill())
    const updateCheckpoints = (change: (points: readonly TechniquePosition[]) => TechniquePosition[]) =>
      autosavedDraft.change(d => ({ ...d, checkpoints: change(d.checkpoints ?? []) }))
    const contactCheckpoint = () =>
      allCheckpoints().find(c => c.video === $clipId.get() && c.skill === CONTACT_POSITION.skill && c.name === CONTACT_POSITION.name)

    function set(name: string, forSkill = skill(), frame = player.$frame.get(), by: TechniquePosition['by'] = 'hand') {
      const clip = $clip.get()
      if (!clip || studio.isLoading()) return
      if (player.notePosition().frame === undefined) {
        toast({ title: 'Not yet', description: 'The frames of this video are being counted. Try again in a moment.' })
        return
      }
      $skill.set(forSkill)
      updateCheckpoints(points => withTechniquePosition(points, { video: clip.id, skill: forSkill, name, frame, by }))
    }
    /** Shows a candidate's frame and sets contact there, unless the instructor has set or confirmed contact. */
    function showCandidate(at: number) {
      const contactSearch = $contactSearch.get()
      if (contactSearch?.is !== 'found') return
      const frame = contactSearch.frames[at]!
      $contactSearch.set({ ...contactSearch, at })
      player.pause()
      player.showFrame(frame)
      if (contactCheckpoint()?.by !== 'hand') set(CONTACT_POSITION.name, CONTACT_POSITION.skill, frame, 'sound')
    }

    return {
      $skill,
      $contactSearch,
      skill,
      set: (name: string) => {
        player.pause()
        set(name)
      },
      /** Sets a position by its number, from 1. */
      setNumber(number: number) {
        const name = techniquePositionNames(skill())[number - 1]
        if (!name) return
        player.pause()
        studio.$tab.set('technique')
        set(name)
      },
      confirm(point: TechniquePosition) {
        updateCheckpoints(points => withTechniquePosition(points, { ...point, by: 'hand' }))
        // A confirmed position ends the search.
        $contactSearch.set(undefined)
      },
      remove: (point: TechniquePosition) => updateCheckpoints(points => withoutTechniquePosition(points, point)),
      go: show,
      renewClip: studio.renewClip,
      goToAdjacent(direction: 1 | -1) {
        const to = adjacentTechniquePosition(pointsOfClip(), player.$frame.get(), direction)
        if (to) show(to)
      },
      showCandidate,
      async findContact() {
        const clip = $clip.get()
        if (!clip) return
        abort.abort()
        abort = new AbortController()
        const { signal } = abort
        $contactSearch.set({ video: clip.id, is: 'listening' })
        const { findContactSoundFramesOfClip } = await import('../../technique/contact-sounds.ts')
        const read = (from: VideoPlayerClip) => findContactSoundFramesOfClip(from, signal)
        const sounds = await readWithRenewedUrls(clip, () => studio.renewClip(clip.id), read).catch(() => ({ is: 'away' as const }))
        if (signal.aborted || $clipId.get() !== clip.id) return
        if (sounds.is !== 'found') return $contactSearch.set({ video: clip.id, is: sounds.is })
        if (!sounds.frames.length) return $contactSearch.set({ video: clip.id, is: 'nothing' })
        $contactSearch.set({ video: clip.id, is: 'found', frames: sounds.frames, at: 0 })
        showCandidate(0)
      },
      /** Ends the search. Called when another clip is shown, because the search concerns the previous one. */
      clearContactSearch() {
        abort.abort()
        $contactSearch.set(undefined)
      },
    }
  }, [studio, player])
  useEffect(() => {
    const stop = studio.$clipId.listen(editor.clearContactSearch)
    return () => {
      stop()
      editor.clearContactSearch()
    }
  }, [studio, editor])
  return editor
}
