/** A pitch defined by keyframes. */

import { skeletonOfPose } from './joints-from-keyframe-pose.mjs'
import { addScaledVector, createPoseInterpolator, UP_VECTOR } from './pose-geometry.mjs'
import { ballSvg, CLIP_COLORS, figureSvg, groundDiscSvg, polygonSvg, shadowSvg, taperedSegmentSvg } from './scene-svg.mjs'

/** The poses of a right-handed pitch; `t` in seconds. */
export const pitchKeyframes = [
  {
    t: 0,
    pelvis: [0, 0.9, 0],
    hips: 0,
    shoulders: 0,
    gaze: 72,
    bend: 4,
    side: 0,
    tilt: 0,
    leftFoot: [0.14, 0.08, 0.02],
    rightFoot: [-0.14, 0.08, 0],
    leftToe: [0.2, -0.15, 1],
    rightToe: [0, -0.15, 1],
    glove: [0.07, -0.16, 0.26],
    throwing: [0.0, -0.16, 0.25],
    leftElbow: [0.9, -0.8, 0.1],
    rightElbow: [-0.9, -0.8, 0.1],
  },
  {
    t: 0.55,
    pelvis: [0, 0.9, 0],
    hips: 0,
    shoulders: 0,
    leftFoot: [0.14, 0.08, 0.02],
    leftToe: [0.2, -0.15, 1],
    glove: [0.07, -0.16, 0.26],
    throwing: [0.0, -0.16, 0.25],
    side: 0,
    gaze: 72,
  },
  // leg lift
  {
    t: 1.15,
    pelvis: [-0.04, 0.92, 0],
    hips: -14,
    shoulders: -16,
    leftFoot: [0.2, 0.66, 0.1],
    leftToe: [1, -0.5, 0.35],
    glove: [0.06, -0.04, 0.27],
    throwing: [-0.01, -0.04, 0.26],
    side: -3,
    gaze: 74,
    bend: 6,
    rightFoot: [-0.14, 0.08, 0],
    rightToe: [0, -0.15, 1],
  },
  // stride: the arms separate
  {
    t: 1.48,
    pelvis: [0.22, 0.8, 0],
    hips: -14,
    shoulders: -20,
    leftFoot: [0.62, 0.32, 0.06],
    leftToe: [0.7, -0.4, 0.8],
    glove: [0.42, 0.02, 0.12],
    throwing: [-0.34, -0.26, 0.08],
    side: -8,
    tilt: 6,
    leftElbow: [0.2, -0.4, 1],
    rightElbow: [-0.6, 0.2, -0.6],
    bend: 4,
  },
  {
    t: 1.68,
    pelvis: [0.5, 0.7, 0],
    hips: 22,
    shoulders: -14,
    leftFoot: [1.08, 0.08, 0.04],
    leftToe: [1, -0.1, 0.35],
    rightFoot: [-0.1, 0.1, 0],
    rightToe: [0.5, -0.5, 0.8],
    glove: [0.5, 0.0, 0.1],
    throwing: [-0.38, 0.16, -0.02],
    side: -6,
    tilt: 4,
    rightElbow: [-0.7, 0.1, -0.5],
    leftElbow: [0.2, -0.4, 1],
    gaze: 82,
  },
  // arm cocked
  {
    t: 1.77,
    pelvis: [0.62, 0.71, 0],
    hips: 62,
    shoulders: 38,
    glove: [0.36, -0.12, 0.16],
    throwing: [-0.36, 0.3, 0.08],
    side: 4,
    tilt: 6,
    rightElbow: [-0.6, 0.3, 0.9],
    leftElbow: [0.5, -0.8, 0.3],
    rightFoot: [-0.02, 0.16, 0],
    rightToe: [0.9, -0.8, 0.3],
    bend: -4,
    leftFoot: [1.08, 0.08, 0.04],
  },
  // release
  {
    t: 1.84,
    pelvis: [0.68, 0.73, 0],
    hips: 84,
    shoulders: 88,
    glove: [0.2, -0.26, -0.02],
    throwing: [0.4, 0.42, 0.24],
    side: 12,
    tilt: 26,
    rightElbow: [0.1, 0.7, 0.9],
    leftElbow: [-0.1, -0.9, -0.6],
    bend: 8,
    gaze: 86,
    rightFoot: [0.06, 0.22, 0],
  },
  {
    t: 1.93,
    pelvis: [0.74, 0.74, 0],
    hips: 94,
    shoulders: 112,
    throwing: [0.52, -0.3, -0.02],
    glove: [0.06, -0.26, -0.22],
    side: 10,
    bend: 30,
    tilt: 10,
    rightElbow: [0.5, 0.2, 0.8],
    leftElbow: [-0.5, -0.5, -0.8],
    rightFoot: [0.2, 0.36, 0.02],
    rightToe: [0.9, -0.9, 0.1],
  },
  // follow-through
  {
    t: 2.12,
    pelvis: [0.84, 0.74, 0],
    hips: 104,
    shoulders: 126,
    throwing: [0.26, -0.52, -0.26],
    glove: [-0.02, -0.22, -0.26],
    side: 8,
    bend: 46,
    tilt: -6,
    rightElbow: [0.7, 0.1, 0.6],
    gaze: 88,
    rightFoot: [0.56, 0.48, 0.12],
    rightToe: [0.7, -1, 0.1],
    leftFoot: [1.08, 0.08, 0.04],
    leftToe: [1, -0.1, 0.3],
  },
  {
    t: 2.5,
    pelvis: [0.98, 0.82, 0],
    hips: 92,
    shoulders: 96,
    throwing: [0.26, -0.4, 0.02],
    glove: [0.3, -0.14, -0.1],
    side: 4,
    bend: 24,
    tilt: 0,
    rightFoot: [1.1, 0.08, 0.28],
    rightToe: [1, -0.15, 0.3],
    rightElbow: [-0.1, -0.9, 0.6],
    leftElbow: [0.1, -0.9, -0.5],
    leftFoot: [1.08, 0.08, -0.06],
  },
  {
    t: 3.4,
    pelvis: [1.0, 0.84, 0],
    hips: 90,
    shoulders: 88,
    throwing: [0.28, -0.3, 0.12],
    glove: [0.34, -0.12, -0.1],
    side: 3,
    bend: 18,
    gaze: 88,
  },
]
const RELEASE = 1.845

/** Returns a function that draws the pitcher and the ball at a time in seconds. */
export function pitchingScene(keys, { view }) {
  const pose = createPoseInterpolator(keys)
  return t => {
    const s = skeletonOfPose(pose(t))
    const g = s.leftWrist
    s.parts = [
      { deep: view(g)[2] - 0.12, svg: taperedSegmentSvg(view, g, addScaledVector(g, [0.05, 0.02, 0.03]), 0.075, 0.085, '#6b3a1e') },
    ]
    const held = time => addScaledVector(skeletonOfPose(pose(time)).rightWrist, [0.05, 0.06, 0.02])
    const ball = time => {
      const d = time - RELEASE
      return d < 0 ? held(time) : addScaledVector(addScaledVector(held(RELEASE), [17, -0.5, 0], d), UP_VECTOR, -4.9 * d * d)
    }
    const look = {
      jersey: '#1c6a3c',
      sleeve: CLIP_COLORS.chalk,
      pants: '#e6e2d8',
      socks: CLIP_COLORS.ink,
      cap: CLIP_COLORS.clay,
      helmet: false,
    }
    return `${shadowSvg(view, s)}${figureSvg(view, s, look)}${t > 1.42 ? ballSvg(view, ball(t), ball(t - 1 / 60)) : ''}`
  }
}
/** The pitcher's mound with its plate. */
export const moundSvg = view =>
  `${groundDiscSvg(view, [0.35, 0], 2.75, CLIP_COLORS.shade)}${groundDiscSvg(view, [0.35, 0], 2.6, '#a04420')}${polygonSvg(
    [
      [-0.08, 0.34],
      [0.08, 0.34],
      [0.08, -0.34],
      [-0.08, -0.34],
    ].map(([x, z]) => view([x - 0.06, 0.01, z])),
    CLIP_COLORS.chalk,
  )}`
