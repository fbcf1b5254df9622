/** A sudden sound. `strength`: its energy divided by the mean energy just before it (at least `SILENCE_PART_OF_LOUDEST`). */
export interface Onset {
  seconds: number
  strength: number
}

/** Below this frequency the crack of a bat has little energy, while steps, wind and motors have most of theirs. */
const HIGH_PASS_HZ = 2000
/** Energy is measured in windows ("hops") of this length. */
const HOP_SECONDS = 0.001
/** Each hop is compared with the mean energy of this many preceding hops. */
const HOPS_COMPARED = 40
/** A hop is sudden if it has at least this many times the mean energy of the preceding hops. */
const MIN_STRENGTH = 8
/** Minimum number of hops between two sudden sounds, because a crack reverberates and walls echo it. */
const MIN_HOPS_APART = 80
/** The mean energy before a hop counts as at least this fraction of the loudest hop's energy, so that faint sounds are not found. */
const SILENCE_PART_OF_LOUDEST = 0.002
/** A sound begins where it first reaches this fraction of its peak. */
const ONSET_PART_OF_PEAK = 0.25

/**
 * Finds up to `most` sudden sounds, the most sudden first: hops whose energy above `HIGH_PASS_HZ` is many times that of the preceding hops.
 * @param samples one channel, −1 to 1
 * @param rate samples per second
 */
export function detectOnsets(samples: Float32Array, rate: number, most = 3): Onset[] {
  const high = highPass(samples, rate)
  const size = Math.max(1, Math.round(rate * HOP_SECONDS))
  const energy = Array.from({ length: Math.floor(high.length / size) }, (_, hop) => {
    let sum = 0
    for (let i = hop * size; i < (hop + 1) * size; i++) sum += high[i]! ** 2
    return sum / size
  })
  const loudest = energy.reduce((a, b) => Math.max(a, b), 0)
  // Below this energy there is only inaudible noise, in which every fluctuation would look sudden.
  if (loudest < 1e-7) return []
  const floor = loudest * SILENCE_PART_OF_LOUDEST
  let sumBefore = 0
  const found = energy.flatMap((here, hop) => {
    const before = sumBefore / Math.min(HOPS_COMPARED, Math.max(1, hop))
    sumBefore += here - (hop >= HOPS_COMPARED ? energy[hop - HOPS_COMPARED]! : 0)
    return hop > 0 && here / Math.max(before, floor) >= MIN_STRENGTH ? [{ hop, strength: here / Math.max(before, floor) }] : []
  })
  const chosen: typeof found = []
  for (const candidate of found.sort((a, b) => b.strength - a.strength)) {
    if (chosen.length === most) break
    if (chosen.every(other => Math.abs(other.hop - candidate.hop) > MIN_HOPS_APART)) chosen.push(candidate)
  }
  return chosen.map(({ hop, strength }) => ({ seconds: onsetSample(high, (hop - 3) * size, (hop + 3) * size) / rate, strength }))
}

/** The sample, within a range, at which a sound begins. */
function onsetSample(high: Float32Array, from: number, to: number): number {
  const stretch = high.subarray(Math.max(0, from), to)
  const peak = stretch.reduce((most, value) => Math.max(most, Math.abs(value)), 0)
  return Math.max(0, from) + stretch.findIndex(value => Math.abs(value) >= peak * ONSET_PART_OF_PEAK)
}

/** A second-order Butterworth high-pass filter. */
function highPass(samples: Float32Array, rate: number): Float32Array {
  const w = Math.tan((Math.PI * HIGH_PASS_HZ) / rate)
  const norm = 1 / (1 + Math.SQRT2 * w + w * w)
  const [a1, a2] = [2 * (w * w - 1) * norm, (1 - Math.SQRT2 * w + w * w) * norm]
  const out = new Float32Array(samples.length)
  let [x1, x2, y1, y2] = [0, 0, 0, 0]
  for (let i = 0; i < samples.length; i++) {
    const x = samples[i]!
    const y = norm * (x - 2 * x1 + x2) - a1 * y1 - a2 * y2
    ;[x2, x1, y2, y1] = [x1, x, y1, y]
    out[i] = y
  }
  return out
}
