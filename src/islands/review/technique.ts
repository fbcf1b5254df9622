import { atom } from 'nanostores'
import { useEffect, useMemo } from 'react'
import type { Skill } from '../../../modules/folders/contract.ts'
import type { Checkpoint } from '../../../modules/reviews/contract.ts'
import type { Player } from '../../player/player.ts'
import { CONTACT, nearestPosition, positionsInOrder, positionsOf, withoutPosition, withPosition } from '../../technique/positions.ts'
import { toast } from '../../ui/toast.ts'
import type { Desk } from './studio-store.ts'

/** What came of listening to a clip. `at`: which of the frames is being looked at. */
export type Listened = { video: string } & (
  | { is: 'listening' | 'silent' | 'nothing' | 'unprepared' | 'away' }
  | { is: 'found'; frames: number[]; at: number }
)

export type Technique = ReturnType<typeof useTechnique>

/** Setting positions on the frames of the clip that is on the stage. `player`: as hands reach it. */
export function useTechnique(desk: Desk, player: Player) {
  const made = useMemo(() => {
    /** Undefined until somebody chooses: then it is that of the last position, or of the last session. */
    const $skill = atom<Skill | undefined>()
    const $heard = atom<Listened | undefined>()
    let ending = new AbortController()
    const { draftStore, $clip, $clipId } = desk
    const show = ({ video, frame }: Checkpoint) => desk.go({ id: '', video, at: 0, frame })
    const all = () => draftStore.$draft.get().checkpoints ?? []
    const skill = (): Skill => $skill.get() ?? all().at(-1)?.skill ?? 'hitting'
    const here = () => positionsInOrder(all(), $clipId.get(), skill())
    const keep = (change: (points: readonly Checkpoint[]) => Checkpoint[]) =>
      draftStore.change(d => ({ ...d, checkpoints: change(d.checkpoints ?? []) }))
    const contact = () => all().find(c => c.video === $clipId.get() && c.skill === CONTACT.skill && c.name === CONTACT.name)

    function set(name: string, of = skill(), frame = player.$frame.get(), by: Checkpoint['by'] = 'hand') {
      const clip = $clip.get()
      if (!clip || desk.loading()) return
      if (player.notePosition().frame === undefined) {
        toast({ title: 'Not yet', description: 'The frames of this video are being counted. Try again in a moment.' })
        return
      }
      $skill.set(of)
      keep(points => withPosition(points, { video: clip.id, skill: of, name, frame, by }))
    }
    /** Looks at one of the frames that were heard; contact goes there, unless a hand has set it. */
    function look(at: number) {
      const onRevisionElsewhere = $heard.get()
      if (onRevisionElsewhere?.is !== 'found') return
      const frame = onRevisionElsewhere.frames[at]!
      $heard.set({ ...onRevisionElsewhere, at })
      player.pause()
      player.showFrame(frame)
      if (contact()?.by !== 'hand') set(CONTACT.name, CONTACT.skill, frame, 'sound')
    }

    return {
      $skill,
      $heard,
      skill,
      set: (name: string) => {
        player.pause()
        set(name)
      },
      /** By its number, from 1. */
      setNumber(number: number) {
        const name = positionsOf(skill())[number - 1]
        if (!name) return
        player.pause()
        desk.$tab.set('technique')
        set(name)
      },
      confirm(point: Checkpoint) {
        keep(points => withPosition(points, { ...point, by: 'hand' }))
        // The question is answered.
        $heard.set(undefined)
      },
      remove: (point: Checkpoint) => keep(points => withoutPosition(points, point)),
      go: show,
      jump(way: 1 | -1) {
        const to = nearestPosition(here(), player.$frame.get(), way)
        if (to) show(to)
      },
      look,
      async listen() {
        const clip = $clip.get()
        if (!clip) return
        ending.abort()
        ending = new AbortController()
        const { signal } = ending
        $heard.set({ video: clip.id, is: 'listening' })
        const { findContactSounds } = await import('../../technique/contact-sounds.ts')
        const onRevisionElsewhere = await findContactSounds(clip, signal).catch(() => ({ is: 'away' as const }))
        if (signal.aborted || $clipId.get() !== clip.id) return
        if (onRevisionElsewhere.is !== 'found') return $heard.set({ video: clip.id, is: onRevisionElsewhere.is })
        if (!onRevisionElsewhere.frames.length) return $heard.set({ video: clip.id, is: 'nothing' })
        $heard.set({ video: clip.id, is: 'found', frames: onRevisionElsewhere.frames, at: 0 })
        look(0)
      },
      /** Another clip: what was heard on the one before says nothing of it. */
      forget() {
        ending.abort()
        $heard.set(undefined)
      },
    }
  }, [desk, player])
  useEffect(() => {
    const stop = desk.$clipId.listen(made.forget)
    return () => {
      stop()
      made.forget()
    }
  }, [desk, made])
  return made
}
