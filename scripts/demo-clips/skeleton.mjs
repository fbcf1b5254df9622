/** Computes the joints of a figure from its pose. */
import { add, dot, lengthOf, radians, subtract, unitVector } from './vectors.mjs'

/** The middle joint of a limb from `a` to `b`, bent toward `pole`; if `b` is out of reach, it is moved closer. */
function limb(a, b, upper, lower, pole) {
  const far = lengthOf(subtract(b, a))
  const d = Math.min(far, (upper + lower) * 0.999)
  const along = unitVector(subtract(b, a))
  const end = add(a, along, d)
  const foot = (upper * upper - lower * lower + d * d) / (2 * d)
  const bend = Math.sqrt(Math.max(0, upper * upper - foot * foot))
  const out = unitVector(
    subtract(
      pole,
      along.map(v => v * dot(pole, along)),
    ),
  )
  return { joint: add(add(a, along, foot), out, bend), end }
}

/** All joints of a pose. The figure is right-handed; at yaw 0 the chest faces the camera, at 90 the direction of the ball. */
export function skeleton(p) {
  const facing = yaw => [Math.sin(radians(yaw)), 0, Math.cos(radians(yaw))]
  const leftOf = yaw => [Math.cos(radians(yaw)), 0, -Math.sin(radians(yaw))]
  const lean = unitVector(add(add([0, 1, 0], facing(p.shoulders), Math.tan(radians(p.bend))), [1, 0, 0], Math.tan(radians(p.side))))
  const chest = add(p.pelvis, lean, 0.49)
  const across = unitVector(add(leftOf(p.shoulders), [0, 1, 0], Math.tan(radians(p.tilt ?? 0))))
  const neck = add(chest, lean, 0.09)
  const head = add(add(neck, lean, 0.13), facing(p.gaze), 0.03)
  const s = { chest, neck, head, pelvis: p.pelvis, gaze: facing(p.gaze) }
  for (const [side, sign] of [
    ['left', 1],
    ['right', -1],
  ]) {
    s[`${side}Hip`] = add(p.pelvis, leftOf(p.hips), 0.13 * sign)
    s[`${side}Shoulder`] = add(chest, across, 0.2 * sign)
    const foot = p[`${side}Foot`]
    const toe = unitVector(p[`${side}Toe`])
    const leg = limb(s[`${side}Hip`], foot, 0.45, 0.44, add(toe, facing(p.hips), 0.6))
    s[`${side}Knee`] = leg.joint
    s[`${side}Ankle`] = leg.end
    s[`${side}ToeTip`] = add(leg.end, toe, 0.2)
  }
  const hand = (side, at) => {
    const arm = limb(s[`${side}Shoulder`], at, 0.31, 0.3, p[`${side}Elbow`])
    s[`${side}ElbowAt`] = arm.joint
    s[`${side}Wrist`] = arm.end
  }
  if (p.bat) {
    s.batDir = unitVector(p.bat)
    const grip = add(chest, p.hands)
    hand('left', grip)
    // If an arm is too short to reach the bat, move the bat to the hand.
    s.grip = s.leftWrist
    hand('right', add(s.grip, s.batDir, 0.09))
  } else {
    hand('left', add(chest, p.glove))
    hand('right', add(chest, p.throwing))
  }
  return s
}
