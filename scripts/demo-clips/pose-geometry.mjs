/** The geometry of the drawn figures: vectors, smooth curves, and interpolation of poses between keyframes. */

/** Vectors are in meters: x toward the pitcher (or the plate), y up, z toward the camera. */
export const UP_VECTOR = [0, 1, 0]
export const addScaledVector = (a, b, k = 1) => a.map((v, i) => v + b[i] * k)
export const subtractVectors = (a, b) => addScaledVector(a, b, -1)
export const dotProduct = (a, b) => a.reduce((sum, v, i) => sum + v * b[i], 0)
export const vectorLength = a => Math.sqrt(dotProduct(a, a))
export const normalizeVector = a => a.map(v => v / (vectorLength(a) || 1))
export const degreesToRadians = degrees => (degrees * Math.PI) / 180

/** A smooth curve through keyframes `[time, value]` without overshoot. */
function curve(keys) {
  const slope = keys.slice(1).map(([t, v], i) => (v - keys[i][1]) / (t - keys[i][0]))
  const tangent = keys.map((_, i) => {
    const [a, b] = [slope[i - 1], slope[i]]
    return a === undefined || b === undefined || a * b <= 0 ? 0 : (2 * a * b) / (a + b)
  })
  return t => {
    if (t <= keys[0][0]) return keys[0][1]
    const i = keys.findIndex(([time]) => time > t) - 1
    if (i < 0) return keys.at(-1)[1]
    const [[t0, v0], [t1, v1]] = [keys[i], keys[i + 1]]
    const [h, s] = [t1 - t0, (t - t0) / (t1 - t0)]
    const [a, b] = [s * s * (3 - 2 * s), s * (1 - s) * (1 - s)]
    return v0 + (v1 - v0) * a + h * (tangent[i] * b - tangent[i + 1] * s * s * (1 - s))
  }
}

/** Interpolates poses between keyframes. Each keyframe names only the channels that it changes; a channel is a number or a vector. */
export function createPoseInterpolator(frames) {
  const channels = {}
  for (const { t, ...pose } of frames)
    for (const [name, value] of Object.entries(pose)) {
      channels[name] ??= []
      channels[name].push([t, value])
    }
  const curves = Object.entries(channels).map(([name, keys]) => {
    if (typeof keys[0][1] === 'number') return [name, curve(keys)]
    const parts = keys[0][1].map((_, i) => curve(keys.map(([t, v]) => [t, v[i]])))
    return [name, t => parts.map(part => part(t))]
  })
  return t => Object.fromEntries(curves.map(([name, at]) => [name, at(t)]))
}
