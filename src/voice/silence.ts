const SAMPLE_RATE = 8000
const SAMPLES = 400

/** A WAV file (8 bits, mono) of a twentieth of a second without a sound. */
function silentWav(): Blob {
  const bytes = new Uint8Array(44 + SAMPLES).fill(128, 44)
  const view = new DataView(bytes.buffer)
  const text = (at: number, letters: string) => bytes.set(new TextEncoder().encode(letters), at)
  text(0, 'RIFF')
  view.setUint32(4, 36 + SAMPLES, true)
  text(8, 'WAVEfmt ')
  view.setUint32(16, 16, true)
  view.setUint16(20, 1, true)
  view.setUint16(22, 1, true)
  view.setUint32(24, SAMPLE_RATE, true)
  view.setUint32(28, SAMPLE_RATE, true)
  view.setUint16(32, 1, true)
  view.setUint16(34, 8, true)
  text(36, 'data')
  view.setUint32(40, SAMPLES, true)
  return new Blob([bytes], { type: 'audio/wav' })
}

/**
 * Plays nothing on an audio element. iPhones let an element play later without a press of its own once it has played in the task of one.
 */
export function playSilence(element: HTMLAudioElement) {
  const url = URL.createObjectURL(silentWav())
  element.src = url
  const release = () => URL.revokeObjectURL(url)
  element.play().then(release, release)
}
