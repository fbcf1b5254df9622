import { createVideoPlayer } from '../../src/player/video-player.ts'
import { readBurnedInFrameNumber } from './read-burned-in-frame-number.ts'
import type { ClipFramesReport, ClipFramesRequest } from './run-player-in-browser-engine.ts'

// Runs in a browser: requests frames from the player, and reads from the picture which frames it shows.

const falseAfter = (milliseconds: number) => new Promise<false>(done => setTimeout(() => done(false), milliseconds))

/** Resolves when a store has one of these values. */
function waitForValue<T>(store: { subscribe(heard: (value: T) => void): () => void }, ...values: T[]) {
  let stop = () => {}
  const there = new Promise<true>(done => {
    stop = store.subscribe(value => values.includes(value) && done(true))
  })
  return there.finally(() => stop())
}

async function reportFrames({ clip, ...asked }: ClipFramesRequest): Promise<ClipFramesReport> {
  const seen: ClipFramesReport = { ...asked, played: false, pictures: [], milliseconds: [] }
  const video = document.createElement('video')
  video.muted = true
  video.playsInline = true
  document.body.replaceChildren(video)
  const player = createVideoPlayer(async () => clip)
  const detach = player.attach(video)
  player.load(clip)
  await Promise.race([waitForValue(player.$status, 'ready', 'unplayable', 'unreachable'), falseAfter(20_000)])
  seen.played = player.$status.get() === 'ready'
  if (seen.played) {
    if (player.$frames.get() === 0) throw new Error(`${asked.name} has no frames.`)
    for (const frame of asked.frames) {
      const asked = performance.now()
      player.showFrame(frame)
      const sure = await Promise.race([waitForValue(player.$isConfirmed, true), falseAfter(2000)])
      seen.milliseconds.push(performance.now() - asked)
      seen.pictures.push(sure ? readBurnedInFrameNumber(video, video.videoWidth, video.videoHeight) : null)
    }
  }
  detach?.()
  video.remove()
  return seen
}

const { asked }: { asked: ClipFramesRequest[] } = await (await fetch('/asked')).json()
for (const { clip, ...one } of asked) {
  const none: ClipFramesReport = { ...one, played: false, pictures: [], milliseconds: [] }
  const seen = await reportFrames({ clip, ...one }).catch((error: unknown) => ({ ...none, error: String(error) }))
  await fetch('/seen', { method: 'POST', body: JSON.stringify(seen) })
}
await fetch('/done', { method: 'POST' })
