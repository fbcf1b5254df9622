/** A swing defined by keyframes. */

import { skeletonOfPose } from './joints-from-keyframe-pose.mjs'
import { addScaledVector, createPoseInterpolator, UP_VECTOR } from './pose-geometry.mjs'
import { ballSvg, CLIP_COLORS, figureSvg, groundDiscSvg, polygonSvg, shadowSvg, svgNumber, taperedSegmentSvg } from './scene-svg.mjs'

const stance = {
  pelvis: [-0.03, 0.83, 0],
  hips: 2,
  shoulders: -6,
  gaze: 68,
  bend: 14,
  side: -3,
  tilt: -3,
  leftFoot: [0.29, 0.08, 0.02],
  rightFoot: [-0.35, 0.08, 0],
  leftToe: [0.3, -0.15, 1],
  rightToe: [-0.05, -0.15, 1],
  hands: [-0.2, 0.06, 0.2],
  bat: [-0.42, 0.86, -0.22],
  leftElbow: [0.15, -0.8, 0.7],
  rightElbow: [-0.9, -0.25, -0.1],
}
/** The poses of a right-handed swing; `t` in seconds. */
export const swingKeyframes = [
  { t: 0, ...stance },
  { t: 0.35, hands: [-0.2, 0.08, 0.2], bat: [-0.25, 0.92, -0.12] },
  {
    t: 0.7,
    hands: [-0.2, 0.06, 0.2],
    bat: [-0.45, 0.86, -0.22],
    pelvis: [-0.03, 0.83, 0],
    hips: 2,
    shoulders: -6,
    leftFoot: [0.29, 0.08, 0.02],
    leftToe: [0.3, -0.15, 1],
    side: -3,
    gaze: 68,
  },
  // load
  {
    t: 1.15,
    pelvis: [-0.13, 0.82, 0],
    hips: -12,
    shoulders: -24,
    hands: [-0.33, 0.09, 0.06],
    bat: [-0.2, 0.93, -0.36],
    leftFoot: [0.2, 0.24, 0.05],
    leftToe: [0.15, -0.5, 1],
    side: -5,
    tilt: -6,
    gaze: 68,
    bend: 15,
  },
  // stride
  {
    t: 1.52,
    pelvis: [0.0, 0.79, 0],
    hips: 4,
    shoulders: -24,
    hands: [-0.36, 0.08, 0.04],
    bat: [-0.32, 0.88, -0.4],
    leftFoot: [0.55, 0.08, 0.03],
    leftToe: [0.6, -0.1, 0.9],
    rightFoot: [-0.35, 0.08, 0],
    rightToe: [-0.05, -0.15, 1],
    side: -6,
    tilt: -5,
    bend: 16,
    leftElbow: [0.15, -0.8, 0.7],
    rightElbow: [-0.9, -0.25, -0.1],
  },
  {
    t: 1.62,
    pelvis: [0.05, 0.79, 0],
    hips: 36,
    shoulders: -8,
    hands: [-0.28, -0.02, 0.14],
    bat: [-0.66, 0.55, -0.5],
    rightToe: [0.4, -0.3, 0.9],
    rightElbow: [-0.6, -0.8, 0.1],
    leftElbow: [0.3, -0.4, 0.8],
    tilt: 2,
  },
  {
    t: 1.69,
    hips: 60,
    shoulders: 22,
    hands: [-0.02, -0.17, 0.34],
    bat: [-0.9, 0.08, 0.2],
    rightFoot: [-0.31, 0.11, 0.01],
    rightToe: [0.8, -0.6, 0.6],
    rightElbow: [-0.3, -1, 0.1],
    tilt: 12,
  },
  // contact
  {
    t: 1.76,
    pelvis: [0.08, 0.8, 0],
    hips: 78,
    shoulders: 52,
    hands: [0.24, -0.27, 0.36],
    bat: [0.32, -0.2, 0.93],
    gaze: 48,
    side: -11,
    tilt: 16,
    bend: 13,
    rightFoot: [-0.27, 0.14, 0.02],
    rightToe: [0.95, -0.8, 0.3],
    leftElbow: [0.6, -0.2, 0.4],
    rightElbow: [-0.1, -1, 0.2],
  },
  {
    t: 1.83,
    hips: 86,
    shoulders: 80,
    hands: [0.46, -0.14, 0.2],
    bat: [0.98, -0.02, 0.16],
    leftElbow: [0.5, -0.6, -0.3],
    rightElbow: [0.1, -1, 0.3],
    tilt: 10,
  },
  {
    t: 1.95,
    pelvis: [0.1, 0.82, 0],
    hips: 92,
    shoulders: 102,
    hands: [0.38, 0.1, -0.14],
    bat: [0.35, 0.42, -0.84],
    gaze: 56,
    side: -9,
    bend: 6,
    leftElbow: [0.3, -0.9, -0.6],
    rightElbow: [0.3, -0.9, 0.3],
    tilt: 0,
  },
  // follow-through
  {
    t: 2.25,
    pelvis: [0.12, 0.84, 0],
    hips: 96,
    shoulders: 120,
    hands: [0.06, 0.2, -0.3],
    bat: [-0.72, 0.1, -0.5],
    gaze: 76,
    side: -8,
    bend: 3,
    rightFoot: [-0.22, 0.2, 0.02],
    rightToe: [0.8, -1, 0.1],
    leftElbow: [0.7, -0.3, -0.8],
    rightElbow: [0.9, -0.2, 0.2],
    tilt: -4,
    leftToe: [0.9, -0.1, 0.6],
  },
  { t: 2.8, pelvis: [0.13, 0.86, 0], hips: 94, shoulders: 112, hands: [0.06, 0.18, -0.28], bat: [-0.66, -0.05, -0.55], gaze: 82, side: -5 },
  { t: 3.5, pelvis: [0.12, 0.86, 0], hips: 92, shoulders: 108, hands: [0.07, 0.15, -0.26], bat: [-0.6, -0.2, -0.55], gaze: 84, side: -5 },
]
/**
 * The changes to `swingKeyframes`, by the time `t` of the keyframe, that make a flawed swing: the front shoulder opens during the stride,
 * before the foot is down; the head follows, and the hands drag behind.
 */
export const flawedSwingKeyframes = {
  1.15: { shoulders: -14 },
  1.52: { shoulders: 26, hips: 22, gaze: 40, hands: [-0.2, 0.04, 0.24], bat: [-0.45, 0.8, 0.1], tilt: 10, side: -1 },
  1.62: { shoulders: 52, hips: 46, gaze: 28, hands: [-0.06, -0.06, 0.36], bat: [-0.6, 0.45, 0.55], tilt: 14, pelvis: [0.1, 0.8, 0] },
  1.69: { shoulders: 72, hips: 64, hands: [0.16, -0.16, 0.38], bat: [-0.3, 0.0, 0.95] },
  1.76: {
    shoulders: 88,
    hips: 78,
    gaze: 92,
    hands: [0.38, -0.22, 0.24],
    bat: [0.62, -0.12, 0.76],
    side: -2,
    bend: 6,
    pelvis: [0.17, 0.82, 0],
  },
  1.83: { shoulders: 104, bat: [0.9, 0.05, -0.2], hands: [0.42, -0.06, 0.02] },
  1.95: { shoulders: 120, gaze: 100, side: 0, bend: 2, pelvis: [0.2, 0.83, 0] },
  2.25: { shoulders: 136, gaze: 96, side: 2, pelvis: [0.23, 0.85, 0], leftFoot: [0.55, 0.08, 0.03] },
  2.8: { shoulders: 124, gaze: 70, side: 0, pelvis: [0.2, 0.86, 0], leftFoot: [0.55, 0.08, 0.03] },
  3.5: { shoulders: 118, gaze: 66, side: 0, pelvis: [0.18, 0.86, 0], leftFoot: [0.55, 0.08, 0.03] },
}
const CONTACT = 1.765

/** Returns a function that draws the batter and the ball at a time in seconds. `flight`: the velocity of the ball after contact, m/s. */
export function battingScene(keys, { flight, view }) {
  const pose = createPoseInterpolator(keys)
  const barrel = (s, along) => addScaledVector(s.grip, s.batDir, along)
  return t => {
    const s = skeletonOfPose(pose(t))
    const before = skeletonOfPose(pose(t - 1 / 60))
    const sweep = [view(barrel(s, 0.8)), view(barrel(before, 0.8)), view(barrel(before, 0.35)), view(barrel(s, 0.35))]
    const far = Math.hypot(sweep[0][0] - sweep[1][0], sweep[0][1] - sweep[1][1])
    s.parts = [
      {
        deep: view(barrel(s, 0.4))[2] - 0.05,
        svg: `${far > 6 ? polygonSvg(sweep, CLIP_COLORS.chalk, 'opacity=".28"') : ''}${taperedSegmentSvg(view, addScaledVector(s.grip, s.batDir, -0.05), barrel(s, 0.4), 0.015, 0.02, '#d9a566')}${taperedSegmentSvg(view, barrel(s, 0.4), barrel(s, 0.8), 0.02, 0.036, '#d9a566')}`,
      },
      {
        deep: view(s.leftWrist)[2] - 0.1,
        svg: [s.leftWrist, s.rightWrist].map(w => taperedSegmentSvg(view, w, w, 0.046, 0.046, CLIP_COLORS.chalk)).join(''),
      },
    ]
    const hit = barrel(skeletonOfPose(pose(CONTACT)), 0.66)
    const ball = time => {
      if (time < CONTACT)
        return addScaledVector(hit, [(CONTACT - time) * 17, (CONTACT - time) * 0.5 + (CONTACT - time) ** 2 * 1.5, -(CONTACT - time) * 0.4])
      const d = time - CONTACT
      const [x, y, z] = addScaledVector(addScaledVector(hit, flight, d), UP_VECTOR, -4.9 * d * d)
      return [x, Math.max(0.04, y), z]
    }
    const look = { jersey: CLIP_COLORS.chalk, sleeve: '#1c7440', pants: '#e6e2d8', socks: '#1c7440', cap: '#0f3f23', helmet: true }
    return `${shadowSvg(view, s)}${figureSvg(view, s, look)}${t > CONTACT - 0.5 ? ballSvg(view, ball(t), ball(t - 1 / 45)) : ''}`
  }
}

/** Home plate with the ground around it and one batter's box. */
export const homePlateSvg = view => {
  const home = [0.22, 0.62]
  const box = (x, z, w, d) =>
    [
      [x, z],
      [x + w, z],
      [x + w, z + d],
      [x, z + d],
      [x, z],
    ].map(([a, b]) => view([a, 0, b]))
  const lines = points =>
    `<polyline points="${points.map(p => `${svgNumber(p[0])},${svgNumber(p[1])}`).join(' ')}" fill="none" stroke="${CLIP_COLORS.chalk}" stroke-width="2.500" opacity=".85"/>`
  return `${groundDiscSvg(view, [0.4, 0.3], 3.4, CLIP_COLORS.shade)}${groundDiscSvg(view, [0.4, 0.3], 3.25, '#a04420')}${lines(box(-0.85, -0.62, 1.75, 1.08))}
${polygonSvg(
  [
    [0, 0.22],
    [0.22, 0.22],
    [0.22, -0.22],
    [0, -0.22],
    [-0.2, 0],
  ].map(([x, z]) => view([home[0] + x, 0.005, home[1] + z])),
  CLIP_COLORS.chalk,
)}`
}
