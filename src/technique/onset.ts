/** A sudden sound. `strength`: how many times louder than the moment before. */
export interface Onset {
  seconds: number
  strength: number
}

/** Below this a crack has little, and steps, wind and engines most of what they have. Hz. */
const LOW = 2000
const HOP = 0.001
/** What is compared with: so many hops before. */
const BEFORE = 40
/** So many times louder is sudden. */
const SUDDEN = 8
/** After one the next does not come for so many hops: a crack rings, and a wall answers. */
const RINGS = 80
/** A sound so much weaker than the loudest counts as silence. */
const FLOOR = 0.002
/** Its beginning: where it first reaches this part of its peak. */
const RISEN = 0.25

/**
 * Where something is suddenly heard, the most sudden first: energy above `LOW` in hops of a millisecond, against the 40 before.
 * @param rate samples a second
 */
export function onsets(samples: Float32Array, rate: number, most = 3): Onset[] {
  const high = highPassed(samples, rate)
  const size = Math.max(1, Math.round(rate * HOP))
  const energy = Array.from({ length: Math.floor(high.length / size) }, (_, hop) => {
    let sum = 0
    for (let i = hop * size; i < (hop + 1) * size; i++) sum += high[i]! ** 2
    return sum / size
  })
  const loudest = energy.reduce((a, b) => Math.max(a, b), 0)
  // What no ear hears is not heard here.
  if (loudest < 1e-7) return []
  const floor = loudest * FLOOR
  let around = 0
  const found = energy.flatMap((here, hop) => {
    const before = around / Math.min(BEFORE, Math.max(1, hop))
    around += here - (hop >= BEFORE ? energy[hop - BEFORE]! : 0)
    return hop > 0 && here / Math.max(before, floor) >= SUDDEN ? [{ hop, strength: here / Math.max(before, floor) }] : []
  })
  const taken: typeof found = []
  for (const one of found.sort((a, b) => b.strength - a.strength)) {
    if (taken.length === most) break
    if (taken.every(other => Math.abs(other.hop - one.hop) > RINGS)) taken.push(one)
  }
  return taken.map(({ hop, strength }) => ({ seconds: beginning(high, (hop - 3) * size, (hop + 3) * size) / rate, strength }))
}

/** The sample at which a sound in this stretch begins. */
function beginning(high: Float32Array, from: number, to: number): number {
  const stretch = high.subarray(Math.max(0, from), to)
  const peak = stretch.reduce((most, value) => Math.max(most, Math.abs(value)), 0)
  return Math.max(0, from) + stretch.findIndex(value => Math.abs(value) >= peak * RISEN)
}

/** A Butterworth high-pass of second order. */
function highPassed(samples: Float32Array, rate: number): Float32Array {
  const w = Math.tan((Math.PI * LOW) / rate)
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
