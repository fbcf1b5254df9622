import { addScaledVector, degreesToRadians, dotProduct, normalizeVector, subtractVectors, vectorLength } from './pose-geometry.mjs'

/** The middle joint of a limb from `a` to `b`, bent toward `pole`, and its end: `b`, or a point closer to `a` if `b` is out of reach. */
function limb(a, b, upper, lower, pole) {
  const far = vectorLength(subtractVectors(b, a))
  const d = Math.min(far, (upper + lower) * 0.999)
  const along = normalizeVector(subtractVectors(b, a))
  const end = addScaledVector(a, along, d)
  const foot = (upper * upper - lower * lower + d * d) / (2 * d)
  const bend = Math.sqrt(Math.max(0, upper * upper - foot * foot))
  const out = normalizeVector(
    subtractVectors(
      pole,
      along.map(v => v * dotProduct(pole, along)),
    ),
  )
  return { joint: addScaledVector(addScaledVector(a, along, foot), out, bend), end }
}

/** All joints of a pose. The figure is right-handed; at yaw 0 the chest faces the camera, at 90 the pitcher (or the plate). */
export function skeletonOfPose(p) {
  const facing = yaw => [Math.sin(degreesToRadians(yaw)), 0, Math.cos(degreesToRadians(yaw))]
  const leftOf = yaw => [Math.cos(degreesToRadians(yaw)), 0, -Math.sin(degreesToRadians(yaw))]
  const lean = normalizeVector(
    addScaledVector(
      addScaledVector([0, 1, 0], facing(p.shoulders), Math.tan(degreesToRadians(p.bend))),
      [1, 0, 0],
      Math.tan(degreesToRadians(p.side)),
    ),
  )
  const chest = addScaledVector(p.pelvis, lean, 0.49)
  const across = normalizeVector(addScaledVector(leftOf(p.shoulders), [0, 1, 0], Math.tan(degreesToRadians(p.tilt ?? 0))))
  const neck = addScaledVector(chest, lean, 0.09)
  const head = addScaledVector(addScaledVector(neck, lean, 0.13), facing(p.gaze), 0.03)
  const s = { chest, neck, head, pelvis: p.pelvis, gaze: facing(p.gaze) }
  for (const [side, sign] of [
    ['left', 1],
    ['right', -1],
  ]) {
    s[`${side}Hip`] = addScaledVector(p.pelvis, leftOf(p.hips), 0.13 * sign)
    s[`${side}Shoulder`] = addScaledVector(chest, across, 0.2 * sign)
    const foot = p[`${side}Foot`]
    const toe = normalizeVector(p[`${side}Toe`])
    const leg = limb(s[`${side}Hip`], foot, 0.45, 0.44, addScaledVector(toe, facing(p.hips), 0.6))
    s[`${side}Knee`] = leg.joint
    s[`${side}Ankle`] = leg.end
    s[`${side}ToeTip`] = addScaledVector(leg.end, toe, 0.2)
  }
  const hand = (side, at) => {
    const arm = limb(s[`${side}Shoulder`], at, 0.31, 0.3, p[`${side}Elbow`])
    s[`${side}ElbowAt`] = arm.joint
    s[`${side}Wrist`] = arm.end
  }
  if (p.bat) {
    s.batDir = normalizeVector(p.bat)
    const grip = addScaledVector(chest, p.hands)
    hand('left', grip)
    // If the left arm is too short to reach the bat, the bat moves to the left hand.
    s.grip = s.leftWrist
    hand('right', addScaledVector(s.grip, s.batDir, 0.09))
  } else {
    hand('left', addScaledVector(chest, p.glove))
    hand('right', addScaledVector(chest, p.throwing))
  }
  return s
}
