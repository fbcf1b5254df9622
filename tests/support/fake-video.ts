/** The codes of the DOM's `MediaError` that tests use. */
export const MEDIA_ERROR_CODES = { network: 2, decode: 3, unsupported: 4 } as const

/** A fake <video> for tests without a browser: it does nothing by itself, so the test controls its events and presented frames. */
export class FakeVideo extends EventTarget {
  src = ''
  duration = 2
  videoWidth = 320
  readyState = 0
  paused = true
  seeking = false
  playbackRate = 1
  muted = false
  style = {}
  error: { code: number } | null = null
  /** The targets of all seeks, in seconds. */
  seeks: number[] = []
  /** The source at each call of `load()`. */
  loads: string[] = []
  private callback: ((now: number, picture: { mediaTime: number }) => void) | undefined

  setAttribute() {}
  removeAttribute() {
    this.src = ''
  }
  remove() {}
  /** Stops without a `pause` event, as browsers do. */
  load() {
    this.loads.push(this.src)
    this.paused = true
    this.seeking = false
    this.error = null
  }
  play() {
    this.paused = false
    this.dispatchEvent(new Event('play'))
    return Promise.resolve()
  }
  pause() {
    if (this.paused) return
    this.paused = true
    this.dispatchEvent(new Event('pause'))
  }
  get currentTime() {
    return this.seeks.at(-1) ?? 0
  }
  set currentTime(seconds: number) {
    this.seeking = true
    this.seeks.push(seconds)
  }
  requestVideoFrameCallback(callback: (now: number, picture: { mediaTime: number }) => void) {
    this.callback = callback
  }

  loadMetadata() {
    this.dispatchEvent(new Event('loadedmetadata'))
  }
  loadData() {
    this.readyState = 4
    this.dispatchEvent(new Event('loadeddata'))
  }
  fail(code: number) {
    this.error = { code }
    this.dispatchEvent(new Event('error'))
  }
  endSeek() {
    this.seeking = false
    this.dispatchEvent(new Event('seeked'))
  }
  /** Presents a frame. `mediaTime`: the time that a browser would report for it, in seconds. */
  present(mediaTime: number) {
    this.callback?.(0, { mediaTime })
  }
  /** Simulates the end of playback: fires `pause` and `ended`. `currentTime` does not change. */
  reachEnd() {
    this.pause()
    this.dispatchEvent(new Event('ended'))
  }
}
