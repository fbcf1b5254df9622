/** Draws the camera's view, the field and the figure as SVG. */
import { addScaledVector, degreesToRadians, normalizeVector, subtractVectors } from './pose-geometry.mjs'

export const [PICTURE_WIDTH, PICTURE_HEIGHT, FRAMES_PER_SECOND] = [640, 360, 30]
/** Colors of the demo clips: those of the scene, and those that all figures share. */
export const CLIP_COLORS = {
  sky: '#12241d',
  field: '#14532d',
  mown: '#186036',
  chalk: '#faf8f3',
  clay: '#b4491f',
  shade: '#7d3216',
  ink: '#14201a',
  skin: '#c98d63',
}

/** Returns a function that projects a point in meters to [x, y, depth], in pixels, pixels and meters. @param yaw in degrees */
export function createCamera({ yaw, x, height = 1.35, distance = 7.2, scale = 980, horizon = 150 }) {
  const [c, s] = [Math.cos(degreesToRadians(yaw)), Math.sin(degreesToRadians(yaw))]
  return point => {
    const [px, py, pz] = [point[0] - x, point[1] - height, point[2]]
    const deep = distance - (pz * c + px * s)
    return [PICTURE_WIDTH / 2 + ((px * c - pz * s) * scale) / deep, horizon - (py * scale) / deep, deep]
  }
}

export const svgNumber = v => v.toFixed(1)
export const polygonSvg = (points, fill, more = '') =>
  `<polygon points="${points.map(p => `${svgNumber(p[0])},${svgNumber(p[1])}`).join(' ')}" fill="${fill}" ${more}/>`

/** A limb with round ends from point `a` to point `b`. `wide` and `narrow`: its radii at `a` and `b`, in meters. */
export function taperedSegmentSvg(view, a, b, wide, narrow, fill) {
  const [p, q] = [view(a), view(b)]
  const r = (point, radius) => (radius * 980) / point[2]
  const across = normalizeVector([q[1] - p[1], p[0] - q[0]])
  const [rp, rq] = [r(p, wide), r(q, narrow)]
  const side = (point, k) => [point[0] + across[0] * k, point[1] + across[1] * k]
  const body = polygonSvg([side(p, rp), side(q, rq), side(q, -rq), side(p, -rp)], fill)
  return `${body}<circle cx="${svgNumber(p[0])}" cy="${svgNumber(p[1])}" r="${svgNumber(rp)}" fill="${fill}"/><circle cx="${svgNumber(q[0])}" cy="${svgNumber(q[1])}" r="${svgNumber(rq)}" fill="${fill}"/>`
}

/** A filled circle on the ground with its center at (x, z) and its radius in meters, in perspective. */
export const groundDiscSvg = (view, [cx, cz], radius, fill) =>
  polygonSvg(
    Array.from({ length: 40 }, (_, i) => view([cx + radius * Math.cos((i * Math.PI) / 20), 0, cz + radius * Math.sin((i * Math.PI) / 20)])),
    fill,
  )

/** The background: sky, lights and field, with what `marks` draws on the ground. */
export function fieldSvg(view, marks) {
  const bands = Array.from({ length: 9 }, (_, i) => {
    const [near, far] = [2.2 - i * 3, -0.8 - i * 3]
    const row = [view([-40, 0, near]), view([40, 0, near]), view([40, 0, far]), view([-40, 0, far])]
    return i % 2 ? polygonSvg(row, CLIP_COLORS.mown) : ''
  })
  const lights = [70, 208, 432, 590]
    .map(
      x => `<path d="M${x} 152V74" stroke="#0b1712" stroke-width="3"/><rect x="${x - 13}" y="62" width="26" height="13" rx="2" fill="#0b1712"/>
<g fill="${CLIP_COLORS.chalk}" opacity=".9">${[-8, 0, 8].map(d => `<circle cx="${x + d}" cy="66.500" r="2.200"/><circle cx="${x + d}" cy="71" r="2.200"/>`).join('')}</g>`,
    )
    .join('')
  return `<defs><linearGradient id="s" gradientUnits="userSpaceOnUse" x1="0" y1="0" x2="0" y2="150"><stop offset="0" stop-color="${CLIP_COLORS.sky}"/><stop offset=".45" stop-color="#2c3a31"/><stop offset=".8" stop-color="#7d4630"/><stop offset="1" stop-color="#c9703f"/></linearGradient></defs>
<rect width="${PICTURE_WIDTH}" height="${PICTURE_HEIGHT}" fill="url(#s)"/>${lights}<path d="M0 146q40-14 84-6t90-5 96 3 110-6 104 5 90-4 66 5v30H0z" fill="#0d2417"/>
<rect y="152" width="${PICTURE_WIDTH}" height="${PICTURE_HEIGHT}" fill="${CLIP_COLORS.field}"/><rect y="150" width="${PICTURE_WIDTH}" height="9" fill="#0b2a18"/><rect y="150" width="${PICTURE_WIDTH}" height="2" fill="${CLIP_COLORS.chalk}" opacity=".5"/>
${bands.join('')}${marks(view)}`
}

/** Draws a figure with the joints `s`, the farthest limbs first. `look`: the colors of its clothes, and whether it wears a helmet. */
export function figureSvg(view, s, look) {
  const limbs = [
    ['leftHip', 'leftKnee', 0.085, 0.062, look.pants],
    ['leftKnee', 'leftAnkle', 0.06, 0.042, look.socks],
    ['leftAnkle', 'leftToeTip', 0.045, 0.034, CLIP_COLORS.ink],
    ['rightHip', 'rightKnee', 0.085, 0.062, look.pants],
    ['rightKnee', 'rightAnkle', 0.06, 0.042, look.socks],
    ['rightAnkle', 'rightToeTip', 0.045, 0.034, CLIP_COLORS.ink],
    ['leftShoulder', 'leftElbowAt', 0.062, 0.046, look.sleeve],
    ['leftElbowAt', 'leftWrist', 0.043, 0.034, CLIP_COLORS.skin],
    ['rightShoulder', 'rightElbowAt', 0.062, 0.046, look.sleeve],
    ['rightElbowAt', 'rightWrist', 0.043, 0.034, CLIP_COLORS.skin],
    ['neck', 'head', 0.05, 0.05, CLIP_COLORS.skin],
  ].map(([a, b, wide, narrow, fill]) => ({
    deep: (view(s[a])[2] + view(s[b])[2]) / 2,
    svg: taperedSegmentSvg(view, s[a], s[b], wide, narrow, fill),
  }))
  const spine = normalizeVector(subtractVectors(s.chest, s.pelvis))
  const waist = [s.rightHip, s.leftHip].map(hip => addScaledVector(addScaledVector(hip, spine, 0.11), subtractVectors(s.pelvis, hip), 0.12))
  const trunk = [s.leftShoulder, s.rightShoulder, ...waist].map(view)
  const deep = trunk.reduce((sum, p) => sum + p[2], 0) / 4
  const round = `stroke="${look.jersey}" stroke-width="13" stroke-linejoin="round"`
  const belt = waist.map(point => view(addScaledVector(point, spine, -0.05)))
  limbs.push({
    deep: deep + 0.02,
    svg: `${taperedSegmentSvg(view, s.leftHip, s.rightHip, 0.1, 0.1, look.pants)}${taperedSegmentSvg(view, s.pelvis, addScaledVector(s.pelvis, spine, 0.06), 0.13, 0.13, look.pants)}${polygonSvg(trunk, look.jersey, round)}${taperedSegmentSvg(view, addScaledVector(s.pelvis, spine, 0.2), s.chest, 0.12, 0.13, look.jersey)}
<path d="M${svgNumber(belt[0][0])} ${svgNumber(belt[0][1])}L${svgNumber(belt[1][0])} ${svgNumber(belt[1][1])}" stroke="${CLIP_COLORS.ink}" stroke-width="5" stroke-linecap="round"/>`,
  })
  const h = view(s.head)
  const r = (0.118 * 980) / h[2]
  const brim = view(addScaledVector(addScaledVector(s.head, s.gaze, 0.21), [0, 0.015, 0]))
  limbs.push({
    deep: h[2] - 0.02,
    svg: `<circle cx="${svgNumber(h[0])}" cy="${svgNumber(h[1])}" r="${svgNumber(r)}" fill="${CLIP_COLORS.skin}"/>
<path d="M${svgNumber(h[0] - r * 1.08)} ${svgNumber(h[1] + r * 0.12)}A${svgNumber(r * 1.08)} ${svgNumber(r * 1.22)} 0 0 1 ${svgNumber(h[0] + r * 1.08)} ${svgNumber(h[1] + r * 0.12)}Z" fill="${look.cap}"/>
<path d="M${svgNumber(h[0])} ${svgNumber(h[1] - r * 0.02)}L${svgNumber(brim[0])} ${svgNumber(brim[1] + r * 0.05)}" stroke="${look.cap}" stroke-width="${svgNumber(r * 0.34)}" stroke-linecap="round"/>${
      look.helmet && Math.abs(brim[0] - h[0]) > 3
        ? `<circle cx="${svgNumber(h[0] - Math.sign(brim[0] - h[0]) * r * 0.35)}" cy="${svgNumber(h[1] + r * 0.3)}" r="${svgNumber(r * 0.42)}" fill="${look.cap}"/>`
        : ''
    }`,
  })
  for (const part of s.parts ?? []) limbs.push(part)
  return limbs
    .sort((a, b) => b.deep - a.deep)
    .map(l => l.svg)
    .join('')
}

/** The shadow that a figure casts on the ground below it. */
export const shadowSvg = (view, s) => {
  const [x, , z] = s.pelvis
  const points = Array.from({ length: 28 }, (_, i) =>
    view([x + 0.1 + 0.62 * Math.cos((i * Math.PI) / 14), 0, z - 0.1 + 0.26 * Math.sin((i * Math.PI) / 14)]),
  )
  return polygonSvg(points, CLIP_COLORS.ink, 'opacity=".32"')
}
/** A ball at `point`, with a trail from where it was `before`. */
export const ballSvg = (view, point, before) => {
  const [p, q] = [view(point), view(before)]
  const r = (0.05 * 980) / p[2]
  if (p[0] < -20 || p[0] > PICTURE_WIDTH + 20 || p[1] < -20) return ''
  return `<path d="M${svgNumber(q[0])} ${svgNumber(q[1])}L${svgNumber(p[0])} ${svgNumber(p[1])}" stroke="${CLIP_COLORS.chalk}" stroke-width="${svgNumber(r * 1.7)}" stroke-linecap="round" opacity=".35"/><circle cx="${svgNumber(p[0])}" cy="${svgNumber(p[1])}" r="${svgNumber(r)}" fill="${CLIP_COLORS.chalk}"/>`
}
