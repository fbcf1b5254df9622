import { createPlayer } from '../folder/player.ts'
import type { Clip } from '../folder/source.ts'

/** Pixels across; twice what a still has on the screen. */
const WIDE = 288
const PATIENCE = 20_000

const kept = new Map<string, Promise<string>>()
let queue: Promise<unknown> = Promise.resolve()

/**
 * An address of the picture of one frame, drawn from the rendition by a player of its own, one after the other, and kept for as long as
 * the page is open. @throws where the video cannot be shown
 */
export function stillOf(clip: Clip, frame: number): Promise<string> {
  const key = `${clip.id} ${frame}`
  const known = kept.get(key)
  if (known) return known
  const made = queue.then(() => draw(clip, frame))
  queue = made.catch(() => kept.delete(key))
  kept.set(key, made)
  return made
}

/** Resolves once a store has one of these values. */
const has = <T>(store: { subscribe(heard: (value: T) => void): () => void }, ...values: T[]) =>
  new Promise<T>((done, fail) => {
    let stop = () => {}
    const timer = setTimeout(() => {
      stop()
      fail(new Error('The frame did not come.'))
    }, PATIENCE)
    stop = store.subscribe(value => {
      if (!values.includes(value)) return
      clearTimeout(timer)
      // It may be called before there is anything to stop.
      queueMicrotask(() => stop())
      done(value)
    })
  })

async function draw(clip: Clip, frame: number): Promise<string> {
  const video = document.createElement('video')
  video.muted = true
  video.playsInline = true
  video.ariaHidden = 'true'
  video.className = 'pointer-events-none fixed top-0 left-0 -z-10 size-px opacity-0'
  document.body.append(video)
  const player = createPlayer(async () => clip)
  const detach = player.attach(video)
  try {
    player.load(clip, { frame, play: false })
    if ((await has(player.$ability, 'ready', 'unplayable', 'away')) !== 'ready') throw new Error('The video cannot be shown.')
    await has(player.$sure, true)
    const canvas = document.createElement('canvas')
    canvas.width = WIDE
    canvas.height = Math.round((WIDE * video.videoHeight) / video.videoWidth)
    canvas.getContext('2d')!.drawImage(video, 0, 0, canvas.width, canvas.height)
    const blob = await new Promise<Blob | null>(done => canvas.toBlob(done, 'image/jpeg', 0.85))
    return URL.createObjectURL(blob!)
  } finally {
    // Whoever reads a video on asks for it again and again once its address is gone.
    video.removeAttribute('src')
    video.load()
    detach?.()
    video.remove()
  }
}
