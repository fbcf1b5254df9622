import { atom, type WritableAtom } from 'nanostores'
import type { Shape, Voice } from '../../modules/reviews/contract.ts'
import { createSoundStallWatchdog } from '../browser-quirks/stalled-sound.ts'
import { errorMessage } from '../client/use-command.ts'
import type { Viewport } from '../drawing/viewport.ts'
import { isMediaUrlReachable } from '../player/clip-source.ts'
import type { VideoPlayer } from '../player/video-player.ts'
import { createReplaySync } from './replay-sync.ts'
import { shapesOfScene } from './replayed-scene.ts'
import { unlockAudioElement } from './unlock-audio-element.ts'

export const VOICE_SPEEDS = [0.75, 1, 1.25, 1.5, 2] as const
/** After a seek or a pause, the stage is synchronized until the video shows the right frame, but no longer than this. */
const SETTLE_TIMEOUT_MS = 1500

const NO_SHAPES: readonly Shape[] = []

const LOAD_PROBLEM = 'This voice-over is not playing. Check your connection and try again.'
const NO_OUTPUT_PROBLEM = 'This browser cannot play the sound. Check that headphones or speakers are connected, then try again.'
/** Some browsers lack the codec of the recording (Opus in MP4); after the delivery the server converts it to AAC. */
const CODEC_PROBLEM = 'This browser cannot play the recording. A few minutes after the review is delivered, it plays in every browser.'

interface ReplayOptions {
  player: VideoPlayer
  $view: WritableAtom<Viewport>
  onClip: (video: string, at: { frame: number; play: boolean }) => void
  /**
   * Returns the URL of a voice-over's sound.
   * @throws Error with a message for the viewer if there is none
   */
  sound: (voice: Voice) => Promise<string>
}

/**
 * Plays a voice-over and keeps the stage in sync. In every animation frame the stage is set to what was recorded at the position of the
 * sound, so after a seek, in a tab that was hidden, or when started in the middle, it shows the same as when played from the start.
 */
export function createVoiceReplay({ player, $view, onClip, sound }: ReplayOptions) {
  /** The open voice-over, or null. It stays open when the viewer takes over the stage. */
  const $voice = atom<Voice | null>(null)
  const $playing = atom(false)
  /** Position in the recording, in ms. */
  const $time = atom(0)
  const $speed = atom(1)
  const $shapes = atom<readonly Shape[]>([])
  /**
   * The drawings of this voice-over whose copies in notes must not be shown as well. While the stage follows the voice-over, these are all
   * of its drawings, because a note would show its copy before the voice-over draws it. Once the viewer has taken over, they are only the
   * drawings that the voice-over has left on the stage.
   */
  const $spokenShapes = atom<readonly Shape[]>([])
  const $problem = atom<string | undefined>(undefined)
  const sync = createReplaySync(player, $view, onClip)
  let audio: HTMLAudioElement | undefined
  /** Id of the voice-over whose URL the audio element has. */
  let loadedVoiceId: string | undefined
  let renewals = 0
  let frame = 0
  let settleUntil = 0
  const stallWatch = createSoundStallWatchdog()
  /** Whether the stage follows the voice-over; false once the viewer has used the stage. */
  let leadsStage = false

  function followVoice(isFollowing: boolean) {
    leadsStage = isFollowing
    const voiceShapes = $voice.get()?.shapes ?? NO_SHAPES
    const shapesOnStage = $shapes.get()
    $spokenShapes.set(isFollowing ? voiceShapes : voiceShapes.filter(({ id }) => shapesOnStage.some(shape => shape.id === id)))
  }

  const position = () => Math.min($voice.get()?.milliseconds ?? 0, (audio?.currentTime ?? 0) * 1000)

  function updateStage() {
    frame = 0
    const voice = $voice.get()
    if (!voice) return
    const running = $playing.get()
    const ms = running ? position() : $time.get()
    if (running) {
      $time.set(ms)
      stallWatch.restartIfStalled(audio!, ms)
    } else stallWatch.reset()
    const scene = sync.sync(voice, ms, running, $speed.get())
    const shapes = shapesOfScene(voice, scene, ms)
    const before = $shapes.get()
    if (
      shapes.length !== before.length ||
      shapes.some((s, i) => s.id !== before[i]!.id || s.p.length !== before[i]!.p.length || s.p.at(-1) !== before[i]!.p.at(-1))
    )
      $shapes.set(shapes)
    if (running || (performance.now() < settleUntil && !sync.isSettled(voice, ms))) scheduleUpdate()
  }
  const scheduleUpdate = () => {
    frame ||= requestAnimationFrame(updateStage)
  }
  const updateUntilSettled = () => {
    settleUntil = performance.now() + SETTLE_TIMEOUT_MS
    scheduleUpdate()
  }

  function addListeners(element: HTMLAudioElement) {
    element.preload = 'auto'
    // Media events arrive late, when the viewer may have taken over the stage, so each listener checks the current state.
    element.addEventListener('play', () => {
      if (element.paused || loadedVoiceId === undefined) return
      followVoice(true)
      $playing.set(true)
      player.setMuted(true)
      scheduleUpdate()
    })
    element.addEventListener('pause', () => {
      if (!element.paused || loadedVoiceId === undefined) return
      if ($playing.get()) $time.set(position())
      $playing.set(false)
      if (leadsStage) updateUntilSettled()
    })
    element.addEventListener('ended', () => {
      if (loadedVoiceId === undefined) return
      $time.set($voice.get()?.milliseconds ?? 0)
      $playing.set(false)
      if (leadsStage) updateUntilSettled()
    })
    element.addEventListener('error', async () => {
      // The signed URL may have expired, so the first error requests a new one.
      const voice = $voice.get()
      if (!voice || loadedVoiceId !== voice.id) return
      loadedVoiceId = undefined
      if (element.error?.code === MediaError.MEDIA_ERR_DECODE) return $problem.set(NO_OUTPUT_PROBLEM)
      if (renewals++ === 0) return void play()
      const isFetchable = element.src.startsWith('blob:') || (await isMediaUrlReachable(element.src))
      if ($voice.get()?.id === voice.id) $problem.set(isFetchable ? CODEC_PROBLEM : LOAD_PROBLEM)
    })
    return element
  }

  /** Opens a voice-over, paused at a position in ms, and shows what was recorded there. */
  function open(voice: Voice, at: number) {
    if ($voice.get()?.id !== voice.id) {
      audio?.pause()
      $playing.set(false)
      renewals = 0
      $voice.set(voice)
      $problem.set(undefined)
    }
    $time.set(at)
    followVoice(true)
    updateUntilSettled()
  }

  async function play(voice = $voice.get(), at = $time.get()) {
    if (!voice) return
    if ($voice.get()?.id !== voice.id || $time.get() !== at) open(voice, at)
    followVoice(true)
    audio ??= addListeners(new Audio())
    const element = audio
    $problem.set(undefined)
    const isStillAsked = () => $voice.get()?.id === voice.id && leadsStage
    try {
      if (loadedVoiceId !== voice.id) {
        // After a click, `sound` is called synchronously in the click handler, because phones allow playback only after a user gesture.
        const soundUrl = await sound(voice)
        // In the meantime, the viewer may have left this voice-over, or opened another one, whose sound must stay.
        if (!isStillAsked()) return
        element.src = soundUrl
        loadedVoiceId = voice.id
      }
      if (!isStillAsked()) return
      const from = at >= voice.milliseconds - 50 ? 0 : at
      if (Math.abs(element.currentTime * 1000 - from) > 1) element.currentTime = from / 1000
      element.playbackRate = $speed.get()
      await element.play()
    } catch (error) {
      // AbortError: the sound was paused or replaced before it began. NotSupportedError: the element's `error` listener handles this.
      if (['AbortError', 'NotSupportedError'].includes((error as Error)?.name)) return
      if ($voice.get()?.id !== voice.id) return
      loadedVoiceId = undefined
      $problem.set((error as Error)?.name === 'NotAllowedError' ? 'Press play once more to hear it.' : errorMessage(error))
    }
  }

  const pause = () => audio?.pause()

  /** Allows a voice-over to start later without a user gesture: phones permit that once the element has played during one. */
  function unlockSound() {
    if (audio) return
    audio = addListeners(new Audio())
    unlockAudioElement(audio)
  }

  return {
    $voice,
    $playing,
    $time,
    $speed,
    $shapes,
    $spokenShapes,
    $problem,
    open,
    play,
    pause,
    unlockSound,
    toggle: (voice: Voice) =>
      $voice.get()?.id === voice.id && $playing.get() ? pause() : play(voice, $voice.get()?.id === voice.id ? $time.get() : 0),
    /** Seeks to a position in ms; if the voice-over is playing, it continues from there. */
    seek(ms: number) {
      const voice = $voice.get()
      if (!voice) return
      const at = Math.max(0, Math.min(voice.milliseconds, ms))
      if (audio && loadedVoiceId === voice.id) audio.currentTime = at / 1000
      $time.set(at)
      followVoice(true)
      updateUntilSettled()
    },
    speed(rate: number) {
      $speed.set(rate)
      if (audio) audio.playbackRate = rate
    },
    /** Pauses the voice-over at its position and gives control of the stage back to the viewer. */
    leave() {
      followVoice(false)
      pause()
      cancelAnimationFrame(frame)
      frame = 0
      settleUntil = 0
      sync.release()
      player.setMuted(false)
    },
    close() {
      if ($voice.get()) this.leave()
      // Without a loaded voice-over, the listener of the late `pause` event does nothing.
      loadedVoiceId = undefined
      $playing.set(false)
      audio?.removeAttribute('src')
      $voice.set(null)
      $time.set(0)
      $shapes.set([])
      $spokenShapes.set(NO_SHAPES)
    },
  }
}
export type VoiceReplay = ReturnType<typeof createVoiceReplay>
