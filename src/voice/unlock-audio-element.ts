const SAMPLE_RATE_HZ = 8000
const SILENT_SAMPLES = 400

/** A silent WAV file (8-bit, mono), a twentieth of a second long. */
function silentWav(): Blob {
  const bytes = new Uint8Array(44 + SILENT_SAMPLES).fill(128, 44)
  const view = new DataView(bytes.buffer)
  const text = (at: number, letters: string) => bytes.set(new TextEncoder().encode(letters), at)
  text(0, 'RIFF')
  view.setUint32(4, 36 + SILENT_SAMPLES, true)
  text(8, 'WAVEfmt ')
  view.setUint32(16, 16, true)
  view.setUint16(20, 1, true)
  view.setUint16(22, 1, true)
  view.setUint32(24, SAMPLE_RATE_HZ, true)
  view.setUint32(28, SAMPLE_RATE_HZ, true)
  view.setUint16(32, 1, true)
  view.setUint16(34, 8, true)
  text(36, 'data')
  view.setUint32(40, SILENT_SAMPLES, true)
  return new Blob([bytes], { type: 'audio/wav' })
}

/**
 * Unlocks an audio element by playing silence on it: on iPhones, an element may start without a further user gesture once it has played
 * during one.
 */
export function unlockAudioElement(element: HTMLAudioElement) {
  const url = URL.createObjectURL(silentWav())
  element.src = url
  const release = () => URL.revokeObjectURL(url)
  element.play().then(release, release)
}
