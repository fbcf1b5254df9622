/**
 * Draws the demo's videos into src/demo/clips: a swing, a delivery, and a swing whose front shoulder leaves early. A figure with joints in
 * three dimensions is posed by keyframes, drawn as SVG, and encoded by ffmpeg: `node scripts/demo-clips.mjs [name…]`. Needs ffmpeg.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import sharp from 'sharp'

const out = join(dirname(fileURLToPath(import.meta.url)), '../src/demo/clips')
const [W, H, FPS] = [640, 360, 30]
const color = {
  sky: '#12241d',
  field: '#14532d',
  mown: '#186036',
  chalk: '#faf8f3',
  clay: '#b4491f',
  shade: '#7d3216',
  ink: '#14201a',
  skin: '#c98d63',
}

// ── Vectors: metres, x toward the pitcher (or the plate), y up, z toward the camera ──
const add = (a, b, k = 1) => a.map((v, i) => v + b[i] * k)
const sub = (a, b) => add(a, b, -1)
const dot = (a, b) => a.reduce((sum, v, i) => sum + v * b[i], 0)
const size = a => Math.sqrt(dot(a, a))
const unit = a => a.map(v => v / (size(a) || 1))
const rad = degrees => (degrees * Math.PI) / 180

/** A smooth curve through keyframes `[time, value]` that never overshoots them. */
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

/** Keyframes of poses: each names only what it changes; a channel is a number or a vector. */
function motion(frames) {
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

/** The middle joint of a limb from `a` to `b`, bent toward `pole`; `b` is drawn in if it is out of reach. */
function limb(a, b, upper, lower, pole) {
  const far = size(sub(b, a))
  const d = Math.min(far, (upper + lower) * 0.999)
  const along = unit(sub(b, a))
  const end = add(a, along, d)
  const foot = (upper * upper - lower * lower + d * d) / (2 * d)
  const bend = Math.sqrt(Math.max(0, upper * upper - foot * foot))
  const out = unit(
    sub(
      pole,
      along.map(v => v * dot(pole, along)),
    ),
  )
  return { joint: add(add(a, along, foot), out, bend), end }
}

/** All joints of a pose. Right-handed; yaw 0 has the chest to the camera, 90 to where the ball goes. */
function skeleton(p) {
  const facing = yaw => [Math.sin(rad(yaw)), 0, Math.cos(rad(yaw))]
  const leftOf = yaw => [Math.cos(rad(yaw)), 0, -Math.sin(rad(yaw))]
  const lean = unit(add(add([0, 1, 0], facing(p.shoulders), Math.tan(rad(p.bend))), [1, 0, 0], Math.tan(rad(p.side))))
  const chest = add(p.pelvis, lean, 0.49)
  const across = unit(add(leftOf(p.shoulders), [0, 1, 0], Math.tan(rad(p.tilt ?? 0))))
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
    const toe = unit(p[`${side}Toe`])
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
    s.batDir = unit(p.bat)
    const grip = add(chest, p.hands)
    hand('left', grip)
    // What a short arm cannot reach, the bat is brought to.
    s.grip = s.leftWrist
    hand('right', add(s.grip, s.batDir, 0.09))
  } else {
    hand('left', add(chest, p.glove))
    hand('right', add(chest, p.throwing))
  }
  return s
}

// ── Camera ──
function camera({ yaw, x, height = 1.35, distance = 7.2, scale = 980, horizon = 150 }) {
  const [c, s] = [Math.cos(rad(yaw)), Math.sin(rad(yaw))]
  return point => {
    const [px, py, pz] = [point[0] - x, point[1] - height, point[2]]
    const deep = distance - (pz * c + px * s)
    return [W / 2 + ((px * c - pz * s) * scale) / deep, horizon - (py * scale) / deep, deep]
  }
}

// ── Drawing ──
const n = v => v.toFixed(1)
const polygon = (points, fill, more = '') =>
  `<polygon points="${points.map(p => `${n(p[0])},${n(p[1])}`).join(' ')}" fill="${fill}" ${more}/>`

function tapered(view, a, b, wide, narrow, fill) {
  const [p, q] = [view(a), view(b)]
  const r = (point, radius) => (radius * 980) / point[2]
  const across = unit([q[1] - p[1], p[0] - q[0]])
  const [rp, rq] = [r(p, wide), r(q, narrow)]
  const side = (point, k) => [point[0] + across[0] * k, point[1] + across[1] * k]
  const body = polygon([side(p, rp), side(q, rq), side(q, -rq), side(p, -rp)], fill)
  return `${body}<circle cx="${n(p[0])}" cy="${n(p[1])}" r="${n(rp)}" fill="${fill}"/><circle cx="${n(q[0])}" cy="${n(q[1])}" r="${n(rq)}" fill="${fill}"/>`
}

/** A ground ellipse or line, by points on the ground. */
const ring = (view, [cx, cz], radius, fill) =>
  polygon(
    Array.from({ length: 40 }, (_, i) => view([cx + radius * Math.cos((i * Math.PI) / 20), 0, cz + radius * Math.sin((i * Math.PI) / 20)])),
    fill,
  )

function field(view, marks) {
  const bands = Array.from({ length: 9 }, (_, i) => {
    const [near, far] = [2.2 - i * 3, -0.8 - i * 3]
    const row = [view([-40, 0, near]), view([40, 0, near]), view([40, 0, far]), view([-40, 0, far])]
    return i % 2 ? polygon(row, color.mown) : ''
  })
  const lights = [70, 208, 432, 590]
    .map(
      x => `<path d="M${x} 152V74" stroke="#0b1712" stroke-width="3"/><rect x="${x - 13}" y="62" width="26" height="13" rx="2" fill="#0b1712"/>
<g fill="${color.chalk}" opacity=".9">${[-8, 0, 8].map(d => `<circle cx="${x + d}" cy="66.500" r="2.200"/><circle cx="${x + d}" cy="71" r="2.200"/>`).join('')}</g>`,
    )
    .join('')
  return `<defs><linearGradient id="s" gradientUnits="userSpaceOnUse" x1="0" y1="0" x2="0" y2="150"><stop offset="0" stop-color="${color.sky}"/><stop offset=".45" stop-color="#2c3a31"/><stop offset=".8" stop-color="#7d4630"/><stop offset="1" stop-color="#c9703f"/></linearGradient></defs>
<rect width="${W}" height="${H}" fill="url(#s)"/>${lights}<path d="M0 146q40-14 84-6t90-5 96 3 110-6 104 5 90-4 66 5v30H0z" fill="#0d2417"/>
<rect y="152" width="${W}" height="${H}" fill="${color.field}"/><rect y="150" width="${W}" height="9" fill="#0b2a18"/><rect y="150" width="${W}" height="2" fill="${color.chalk}" opacity=".5"/>
${bands.join('')}${marks(view)}`
}

function figure(view, s, look) {
  const limbs = [
    ['leftHip', 'leftKnee', 0.085, 0.062, look.pants],
    ['leftKnee', 'leftAnkle', 0.06, 0.042, look.socks],
    ['leftAnkle', 'leftToeTip', 0.045, 0.034, color.ink],
    ['rightHip', 'rightKnee', 0.085, 0.062, look.pants],
    ['rightKnee', 'rightAnkle', 0.06, 0.042, look.socks],
    ['rightAnkle', 'rightToeTip', 0.045, 0.034, color.ink],
    ['leftShoulder', 'leftElbowAt', 0.062, 0.046, look.sleeve],
    ['leftElbowAt', 'leftWrist', 0.043, 0.034, color.skin],
    ['rightShoulder', 'rightElbowAt', 0.062, 0.046, look.sleeve],
    ['rightElbowAt', 'rightWrist', 0.043, 0.034, color.skin],
    ['neck', 'head', 0.05, 0.05, color.skin],
  ].map(([a, b, wide, narrow, fill]) => ({ deep: (view(s[a])[2] + view(s[b])[2]) / 2, svg: tapered(view, s[a], s[b], wide, narrow, fill) }))
  const spine = unit(sub(s.chest, s.pelvis))
  const waist = [s.rightHip, s.leftHip].map(hip => add(add(hip, spine, 0.11), sub(s.pelvis, hip), 0.12))
  const trunk = [s.leftShoulder, s.rightShoulder, ...waist].map(view)
  const deep = trunk.reduce((sum, p) => sum + p[2], 0) / 4
  const round = `stroke="${look.jersey}" stroke-width="13" stroke-linejoin="round"`
  const belt = waist.map(point => view(add(point, spine, -0.05)))
  limbs.push({
    deep: deep + 0.02,
    svg: `${tapered(view, s.leftHip, s.rightHip, 0.1, 0.1, look.pants)}${tapered(view, s.pelvis, add(s.pelvis, spine, 0.06), 0.13, 0.13, look.pants)}${polygon(trunk, look.jersey, round)}${tapered(view, add(s.pelvis, spine, 0.2), s.chest, 0.12, 0.13, look.jersey)}
<path d="M${n(belt[0][0])} ${n(belt[0][1])}L${n(belt[1][0])} ${n(belt[1][1])}" stroke="${color.ink}" stroke-width="5" stroke-linecap="round"/>`,
  })
  const h = view(s.head)
  const r = (0.118 * 980) / h[2]
  const brim = view(add(add(s.head, s.gaze, 0.21), [0, 0.015, 0]))
  limbs.push({
    deep: h[2] - 0.02,
    svg: `<circle cx="${n(h[0])}" cy="${n(h[1])}" r="${n(r)}" fill="${color.skin}"/>
<path d="M${n(h[0] - r * 1.08)} ${n(h[1] + r * 0.12)}A${n(r * 1.08)} ${n(r * 1.22)} 0 0 1 ${n(h[0] + r * 1.08)} ${n(h[1] + r * 0.12)}Z" fill="${look.cap}"/>
<path d="M${n(h[0])} ${n(h[1] - r * 0.02)}L${n(brim[0])} ${n(brim[1] + r * 0.05)}" stroke="${look.cap}" stroke-width="${n(r * 0.34)}" stroke-linecap="round"/>${
      look.helmet && Math.abs(brim[0] - h[0]) > 3
        ? `<circle cx="${n(h[0] - Math.sign(brim[0] - h[0]) * r * 0.35)}" cy="${n(h[1] + r * 0.3)}" r="${n(r * 0.42)}" fill="${look.cap}"/>`
        : ''
    }`,
  })
  for (const part of s.parts ?? []) limbs.push(part)
  return limbs
    .sort((a, b) => b.deep - a.deep)
    .map(l => l.svg)
    .join('')
}

const shadow = (view, s) => {
  const [x, , z] = s.pelvis
  const points = Array.from({ length: 28 }, (_, i) =>
    view([x + 0.1 + 0.62 * Math.cos((i * Math.PI) / 14), 0, z - 0.1 + 0.26 * Math.sin((i * Math.PI) / 14)]),
  )
  return polygon(points, color.ink, 'opacity=".32"')
}
const ballAt = (view, point, before) => {
  const [p, q] = [view(point), view(before)]
  const r = (0.05 * 980) / p[2]
  if (p[0] < -20 || p[0] > W + 20 || p[1] < -20) return ''
  return `<path d="M${n(q[0])} ${n(q[1])}L${n(p[0])} ${n(p[1])}" stroke="${color.chalk}" stroke-width="${n(r * 1.7)}" stroke-linecap="round" opacity=".35"/><circle cx="${n(p[0])}" cy="${n(p[1])}" r="${n(r)}" fill="${color.chalk}"/>`
}

// ── The batter ──
const up = [0, 1, 0]
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
const swingKeys = [
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
/** The front shoulder opens in the stride, before the foot is down; the head goes with it and the hands are dragged around. */
const flaw = {
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

function batting(keys, { flight, view }) {
  const pose = motion(keys)
  const barrel = (s, along) => add(s.grip, s.batDir, along)
  return t => {
    const s = skeleton(pose(t))
    const before = skeleton(pose(t - 1 / 60))
    const sweep = [view(barrel(s, 0.8)), view(barrel(before, 0.8)), view(barrel(before, 0.35)), view(barrel(s, 0.35))]
    const far = Math.hypot(sweep[0][0] - sweep[1][0], sweep[0][1] - sweep[1][1])
    s.parts = [
      {
        deep: view(barrel(s, 0.4))[2] - 0.05,
        svg: `${far > 6 ? polygon(sweep, color.chalk, 'opacity=".28"') : ''}${tapered(view, add(s.grip, s.batDir, -0.05), barrel(s, 0.4), 0.015, 0.02, '#d9a566')}${tapered(view, barrel(s, 0.4), barrel(s, 0.8), 0.02, 0.036, '#d9a566')}`,
      },
      {
        deep: view(s.leftWrist)[2] - 0.1,
        svg: [s.leftWrist, s.rightWrist].map(w => tapered(view, w, w, 0.046, 0.046, color.chalk)).join(''),
      },
    ]
    const hit = barrel(skeleton(pose(CONTACT)), 0.66)
    const ball = time => {
      if (time < CONTACT)
        return add(hit, [(CONTACT - time) * 17, (CONTACT - time) * 0.5 + (CONTACT - time) ** 2 * 1.5, -(CONTACT - time) * 0.4])
      const d = time - CONTACT
      const [x, y, z] = add(add(hit, flight, d), up, -4.9 * d * d)
      return [x, Math.max(0.04, y), z]
    }
    const look = { jersey: color.chalk, sleeve: '#1c7440', pants: '#e6e2d8', socks: '#1c7440', cap: '#0f3f23', helmet: true }
    return `${shadow(view, s)}${figure(view, s, look)}${t > CONTACT - 0.5 ? ballAt(view, ball(t), ball(t - 1 / 45)) : ''}`
  }
}

const plate = view => {
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
    `<polyline points="${points.map(p => `${n(p[0])},${n(p[1])}`).join(' ')}" fill="none" stroke="${color.chalk}" stroke-width="2.500" opacity=".85"/>`
  return `${ring(view, [0.4, 0.3], 3.4, color.shade)}${ring(view, [0.4, 0.3], 3.25, '#a04420')}${lines(box(-0.85, -0.62, 1.75, 1.08))}
${polygon(
  [
    [0, 0.22],
    [0.22, 0.22],
    [0.22, -0.22],
    [0, -0.22],
    [-0.2, 0],
  ].map(([x, z]) => view([home[0] + x, 0.005, home[1] + z])),
  color.chalk,
)}`
}

// ── The pitcher ──
const pitchKeys = [
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
  // stride: the arms part
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

function pitching(keys, { view }) {
  const pose = motion(keys)
  return t => {
    const s = skeleton(pose(t))
    const g = s.leftWrist
    s.parts = [{ deep: view(g)[2] - 0.12, svg: tapered(view, g, add(g, [0.05, 0.02, 0.03]), 0.075, 0.085, '#6b3a1e') }]
    const held = time => add(skeleton(pose(time)).rightWrist, [0.05, 0.06, 0.02])
    const ball = time => {
      const d = time - RELEASE
      return d < 0 ? held(time) : add(add(held(RELEASE), [17, -0.5, 0], d), up, -4.9 * d * d)
    }
    const look = { jersey: '#1c6a3c', sleeve: color.chalk, pants: '#e6e2d8', socks: color.ink, cap: color.clay, helmet: false }
    return `${shadow(view, s)}${figure(view, s, look)}${t > 1.42 ? ballAt(view, ball(t), ball(t - 1 / 60)) : ''}`
  }
}
const mound = view =>
  `${ring(view, [0.35, 0], 2.75, color.shade)}${ring(view, [0.35, 0], 2.6, '#a04420')}${polygon(
    [
      [-0.08, 0.34],
      [0.08, 0.34],
      [0.08, -0.34],
      [-0.08, -0.34],
    ].map(([x, z]) => view([x - 0.06, 0.01, z])),
    color.chalk,
  )}`

const boxView = camera({ yaw: -16, x: 0.55 })
const moundView = camera({ yaw: -10, x: 0.75 })
const withFlaw = swingKeys.map(key => ({ ...key, ...flaw[key.t] }))
export const clips = {
  swing: { seconds: 3.5, poster: 1.6, scene: batting(swingKeys, { flight: [19, 6.5, -6], view: boxView }), ground: field(boxView, plate) },
  delivery: {
    hevc: true,
    seconds: 3.4,
    poster: 1.7,
    scene: pitching(pitchKeys, { view: moundView }),
    ground: field(moundView, mound),
  },
  'swing-early-shoulder': {
    seconds: 3.5,
    poster: 1.58,
    scene: batting(withFlaw, { flight: [9, -2.5, 5], view: boxView }),
    ground: field(boxView, plate),
  },
}
export const frame = (clip, t) =>
  Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${W}" height="${H}" viewBox="0 0 ${W} ${H}">${clip.ground}${clip.scene(t)}</svg>`,
  )

async function make(name) {
  const clip = clips[name]
  const hevc = ['-c:v', 'libx265', '-preset', 'medium', '-crf', '26', '-x265-params', 'log-level=error', '-pix_fmt', 'yuv420p']
  const h264 = [
    '-c:v',
    'libx264',
    '-profile:v',
    'main',
    '-pix_fmt',
    'yuv420p',
    '-crf',
    '22',
    '-preset',
    'veryslow',
    '-g',
    '30',
    '-movflags',
    '+faststart',
  ]
  // One as an iPhone films.
  const codec = clip.hevc ? [...hevc, '-tag:v', 'hvc1', '-movflags', '+faststart'] : h264
  const file = `${name}.${clip.hevc ? 'mov' : 'mp4'}`
  const from = ['-f', 'rawvideo', '-pix_fmt', 'rgb24', '-s', `${W}x${H}`, '-r', String(FPS), '-i', '-']
  const ffmpeg = spawn('ffmpeg', ['-hide_banner', '-loglevel', 'error', '-y', ...from, ...codec, join(out, file)], {
    stdio: ['pipe', 'inherit', 'inherit'],
  })
  for (let i = 0; i < Math.round(clip.seconds * FPS); i++) {
    const pixels = await sharp(frame(clip, i / FPS))
      .flatten()
      .removeAlpha()
      .raw()
      .toBuffer()
    if (!ffmpeg.stdin.write(pixels)) await once(ffmpeg.stdin, 'drain')
  }
  ffmpeg.stdin.end()
  const [code] = await once(ffmpeg, 'exit')
  if (code !== 0) throw new Error(`ffmpeg ended with ${code}`)
  await sharp(frame(clip, clip.poster))
    .jpeg({ quality: 82, mozjpeg: true })
    .toFile(join(out, `${name}.jpg`))
  console.log(`src/demo/clips/${file}`)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  mkdirSync(out, { recursive: true })
  for (const name of process.argv.length > 2 ? process.argv.slice(2) : Object.keys(clips)) await make(name)
}
