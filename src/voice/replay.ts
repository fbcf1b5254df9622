import { atom, type WritableAtom } from 'nanostores'
import type { Shape, Voice } from '../../modules/reviews/contract.ts'
import { errorMessage } from '../client/command.ts'
import type { View } from '../drawing/view.ts'
import type { Player } from '../player/player.ts'
import { isFetchable } from '../player/source.ts'
import { createLeader } from './leader.ts'
import { shapesAt } from './scene.ts'

export const TEMPOS = [0.75, 1, 1.25, 1.5, 2] as const
/** A picture that was asked for comes within this, ms; then whoever watches may do as they like. */
const SETTLING = 1500
/** A sound that runs moves this far, ms, within such a time, ms. */
const STEP = 20
const STANDING = 1000

const AWAY = 'This voice-over does not play right now. Check your connection and try again.'
const SOUNDLESS = 'This browser cannot sound it. Check that headphones or speakers are connected, then try again.'
/** As it was recorded some browsers lack its codec; what is made of it after the delivery is AAC. */
const UNPLAYABLE = 'This browser cannot play it as it was recorded. Some minutes after the review is delivered it plays in every browser.'

interface Stage {
  player: Player
  $view: WritableAtom<View>
  onClip: (video: string, at: { frame: number; play: boolean }) => void
  /** Where a voice is heard. @throws where it cannot be found */
  sound: (voice: Voice) => Promise<string>
}

/**
 * Plays a voice, and the video follows: what was done comes by the position of the sound, looked at in every frame of the screen, so
 * scrubbing, a hidden tab and joining in the middle all show what playing from the start would.
 */
export function createReplay({ player, $view, onClip, sound }: Stage) {
  /** The voice whose picture is shown. */
  const $voice = atom<Voice | null>(null)
  const $playing = atom(false)
  /** Ms of the recording. */
  const $time = atom(0)
  const $tempo = atom(1)
  const $shapes = atom<readonly Shape[]>([])
  const $problem = atom<string | undefined>(undefined)
  const leader = createLeader(player, $view, onClip)
  let audio: HTMLAudioElement | undefined
  /** Id of the voice that the audio holds, and the addresses that failed. */
  let held: string | undefined
  let renewed = 0
  let frame = 0
  let until = 0
  /** Where the sound was when it moved last, ms, and when that was. */
  let moved = { to: 0, at: 0 }
  /** The stage follows the voice, until somebody else leads it. */
  let leads = false

  const position = () => Math.min($voice.get()?.milliseconds ?? 0, (audio?.currentTime ?? 0) * 1000)

  /** WebKit on Linux now and then waits for ever for a sound of which it has all: stopped and started, it goes on. */
  function nudge(its: HTMLAudioElement, ms: number) {
    const now = performance.now()
    if (Math.abs(ms - moved.to) > STEP || !moved.at) moved = { to: ms, at: now }
    const { buffered, duration, readyState, seeking } = its
    const here = buffered.length > 0 && buffered.end(buffered.length - 1) > duration - 0.1
    if (now - moved.at < STANDING || seeking || !here || readyState > its.HAVE_CURRENT_DATA) return
    moved.at = now
    its.pause()
    its.play().catch(() => {})
  }

  function look() {
    frame = 0
    const voice = $voice.get()
    if (!voice) return
    const running = $playing.get()
    const ms = running ? position() : $time.get()
    if (running) {
      $time.set(ms)
      nudge(audio!, ms)
    } else moved.at = 0
    const scene = leader.sync(voice, ms, running, $tempo.get())
    const shapes = shapesAt(voice, scene, ms)
    const before = $shapes.get()
    if (
      shapes.length !== before.length ||
      shapes.some((s, i) => s.id !== before[i]!.id || s.p.length !== before[i]!.p.length || s.p.at(-1) !== before[i]!.p.at(-1))
    )
      $shapes.set(shapes)
    if (running || (performance.now() < until && !leader.settled(voice, ms))) again()
  }
  const again = () => {
    frame ||= requestAnimationFrame(look)
  }
  const settle = () => {
    until = performance.now() + SETTLING
    again()
  }

  function listen(its: HTMLAudioElement) {
    its.preload = 'auto'
    // Events come a moment later than what they tell of: by then the stage may be somebody's.
    its.addEventListener('play', () => {
      if (its.paused) return
      leads = true
      $playing.set(true)
      player.setMuted(true)
      again()
    })
    its.addEventListener('pause', () => {
      if (!its.paused) return
      if ($playing.get()) $time.set(position())
      $playing.set(false)
      if (leads) settle()
    })
    its.addEventListener('ended', () => {
      $time.set($voice.get()?.milliseconds ?? 0)
      $playing.set(false)
      if (leads) settle()
    })
    its.addEventListener('error', async () => {
      // An address that has run out is asked for anew, once.
      const voice = $voice.get()
      if (!voice || held !== voice.id) return
      held = undefined
      if (its.error?.code === MediaError.MEDIA_ERR_DECODE) return $problem.set(SOUNDLESS)
      if (renewed++ === 0) return void play()
      const here = its.src.startsWith('blob:') || (await isFetchable(its.src))
      if ($voice.get()?.id === voice.id) $problem.set(here ? UNPLAYABLE : AWAY)
    })
    return its
  }

  /** Shows the picture of a moment of a voice, which stands there. */
  function open(voice: Voice, at: number) {
    if ($voice.get()?.id !== voice.id) {
      audio?.pause()
      $playing.set(false)
      renewed = 0
      $voice.set(voice)
      $problem.set(undefined)
    }
    $time.set(at)
    leads = true
    settle()
  }

  async function play(voice = $voice.get(), at = $time.get()) {
    if (!voice) return
    if ($voice.get()?.id !== voice.id || $time.get() !== at) open(voice, at)
    leads = true
    audio ??= listen(new Audio())
    const its = audio
    $problem.set(undefined)
    try {
      if (held !== voice.id) {
        // Within the press, so that a phone knows that it may sound later.
        const found = sound(voice)
        its.src = await found
        held = voice.id
      }
      if ($voice.get()?.id !== voice.id || !leads) return
      const from = at >= voice.milliseconds - 50 ? 0 : at
      if (Math.abs(its.currentTime * 1000 - from) > 1) its.currentTime = from / 1000
      its.playbackRate = $tempo.get()
      await its.play()
    } catch (error) {
      // Of what it cannot play its own event tells, too.
      if (['AbortError', 'NotSupportedError'].includes((error as Error)?.name)) return
      held = undefined
      $problem.set((error as Error)?.name === 'NotAllowedError' ? 'Press play once more to hear it.' : errorMessage(error))
    }
  }

  const pause = () => audio?.pause()

  return {
    ...{ $voice, $playing, $time, $tempo, $shapes, $problem },
    ...{ open, play, pause },
    toggle: (voice: Voice) =>
      $voice.get()?.id === voice.id && $playing.get() ? pause() : play(voice, $voice.get()?.id === voice.id ? $time.get() : 0),
    /** To a moment of it, ms; it goes on playing, if it does. */
    seek(ms: number) {
      const voice = $voice.get()
      if (!voice) return
      const at = Math.max(0, Math.min(voice.milliseconds, ms))
      if (audio && held === voice.id) audio.currentTime = at / 1000
      $time.set(at)
      leads = true
      settle()
    },
    tempo(rate: number) {
      $tempo.set(rate)
      if (audio) audio.playbackRate = rate
    },
    /** The stage belongs to who watches again; the voice stands where it was. */
    leave() {
      leads = false
      pause()
      cancelAnimationFrame(frame)
      frame = 0
      until = 0
      leader.release()
      player.setMuted(false)
    },
    close() {
      if ($voice.get()) this.leave()
      held = undefined
      audio?.removeAttribute('src')
      $voice.set(null)
      $time.set(0)
      $shapes.set([])
    },
  }
}
export type Replay = ReturnType<typeof createReplay>
