import { vi } from 'vitest'

/** A MediaRecorder that delivers three bytes of sound when it is stopped. */
export class FakeMediaRecorder extends EventTarget {
  static isTypeSupported = () => true
  static latest: FakeMediaRecorder | undefined
  state = 'inactive'
  mimeType = 'audio/webm;codecs=opus'
  ondataavailable: (event: { data: Blob }) => void = () => {}
  constructor() {
    super()
    FakeMediaRecorder.latest = this
  }
  start() {
    this.state = 'recording'
  }
  pause() {
    this.state = 'paused'
  }
  resume() {
    this.state = 'recording'
  }
  stop() {
    this.state = 'inactive'
    this.ondataavailable({ data: new Blob(['abc']) })
    queueMicrotask(() => this.dispatchEvent(new Event('stop')))
  }
}

/** Gives Node the browser's interfaces for recording sound, until `vi.unstubAllGlobals()`. */
export function stubMicrophone() {
  const tracks = [{ addEventListener() {}, removeEventListener() {}, stop() {} }]
  const stream = { getAudioTracks: () => tracks, getTracks: () => tracks }
  class FakeAudioContext {
    state = 'suspended'
    async resume() {}
    async close() {}
    createAnalyser = () => ({ fftSize: 32, getFloatTimeDomainData() {} })
    createMediaStreamSource = () => ({ connect() {} })
  }
  vi.stubGlobal('MediaRecorder', FakeMediaRecorder)
  vi.stubGlobal('AudioContext', FakeAudioContext)
  vi.stubGlobal('navigator', { mediaDevices: { getUserMedia: async () => stream } })
}
