import type { PortraitStyle } from './portrait.ts'

/** The public password of all demo accounts. */
export const DEMO_PASSWORD = 'extra-innings'

/** A made-up person with an account in the demo. */
export interface DemoPerson {
  email: string
  firstName: string
  lastName: string
  phone: string
  looks: PortraitStyle
}
/** A check that was made `daysAgo` days ago and expires `expiresIn` days from today; if that is absent, it never expires. */
interface DemoCheck {
  check: 'identity' | 'background' | 'safesport' | 'certificate'
  daysAgo: number
  reference: string
  expiresIn?: number
}
export interface DemoInstructor extends DemoPerson {
  type: ('baseball' | 'softball')[]
  skills: ('hitting' | 'pitching' | 'fielding' | 'catching')[]
  slug: string
  about: string
  experience: string
  /** The checks that an administrator has recorded. Without them, the instructor is not approved yet. */
  checks?: DemoCheck[]
}

export interface DemoPlayer extends DemoPerson {
  dateOfBirth: string
}
/** The player whose sessions the demo shows. */
export const demoPlayer: DemoPlayer = {
  email: 'player@demo.example',
  firstName: 'Maya',
  lastName: 'Torres',
  phone: '555-010-0142',
  dateOfBirth: '2005-04-12',
  looks: { skin: '#c98d63', hair: '#2b1b12', cap: '#14532d', jersey: '#faf8f3', long: true },
}

export const demoAdmin = { email: 'admin@demo.example', firstName: 'Ellis', lastName: 'Park', phone: '555-010-0100' }

export const demoInstructors = {
  ray: {
    email: 'instructor@demo.example',
    firstName: 'Ray',
    lastName: 'Castellano',
    phone: '555-010-0111',
    type: ['baseball', 'softball'],
    skills: ['hitting'],
    slug: 'ray-castellano',
    about:
      'Hitting is two questions: did you see it, and were you on time? Everything I tell you about your hands, your hips and your front side is there to make those two easier. Send me swings from the side, at belt height, and send me a bad one too. I learn more from your misses.',
    experience:
      'Hitting coach at junior college for eleven years, amateur hitting coordinator before that. Catcher in the independent leagues until my knees had an opinion.',
    checks: [
      { check: 'identity', daysAgo: 40, reference: 'Passport, seen on a call' },
      { check: 'background', daysAgo: 40, reference: 'Report 20931', expiresIn: 690 },
      { check: 'safesport', daysAgo: 120, reference: 'Certificate 58-113', expiresIn: 245 },
    ],
    looks: { skin: '#b57f58', hair: '#3a3733', cap: '#16201b', jersey: '#1f5fa8', beard: true },
  },
  dana: {
    email: 'dana@demo.example',
    firstName: 'Dana',
    lastName: 'Whitfield',
    phone: '555-010-0112',
    type: ['baseball', 'softball'],
    skills: ['pitching', 'fielding'],
    slug: 'dana-whitfield',
    about:
      'I look at the feet first. A pitcher who lands in the same spot ten times in a row has a chance to throw ten strikes in a row, and an arm that lasts. Film from the open side and from behind the catcher if you can, and tell me how many pitches you had thrown by then.',
    experience:
      'Four years of college softball, six seasons as a pitching coach in high school baseball. Certified in arm care and throwing programs.',
    checks: [
      { check: 'identity', daysAgo: 38, reference: "Driver's license, seen on a call" },
      { check: 'background', daysAgo: 38, reference: 'Report 20947', expiresIn: 692 },
      { check: 'certificate', daysAgo: 38, reference: 'Arm care, level 2' },
    ],
    looks: { skin: '#8a5a3a', hair: '#1c1410', cap: '#b4491f', jersey: '#dfdbd0', long: true },
  },
  marcus: {
    email: 'marcus@demo.example',
    firstName: 'Marcus',
    lastName: 'Hale',
    phone: '555-010-0113',
    type: ['baseball'],
    skills: ['catching', 'fielding', 'hitting'],
    slug: 'marcus-hale',
    about:
      'Receiving, blocking, throwing, and running a game: a catcher has four jobs before the bat comes out. I break film down pitch by pitch and give you one drill a week, not ten.',
    experience: 'Eight seasons behind the plate in the minors. Bullpen catcher, then catching coordinator at a summer collegiate league.',
    checks: [
      { check: 'identity', daysAgo: 60, reference: 'Passport, seen on a call' },
      { check: 'background', daysAgo: 345, reference: 'Report 19402', expiresIn: 20 },
    ],
    looks: { skin: '#e0b48f', hair: '#7a4a22', cap: '#1f5fa8', jersey: '#b3261e' },
  },
  lena: {
    email: 'lena@demo.example',
    firstName: 'Lena',
    lastName: 'Ortiz',
    phone: '555-010-0114',
    type: ['softball'],
    skills: ['pitching', 'hitting'],
    slug: 'lena-ortiz',
    about: 'Windmill mechanics from the ground up. I slow everything down until the arm circle takes care of itself.',
    experience: 'Three years of college softball, now an assistant coach.',
    looks: { skin: '#d9a37c', hair: '#4a2a18', cap: '#55625b', jersey: '#e8b93b', long: true },
  },
} satisfies Record<string, DemoInstructor>

/** The demo player's folder that is still waiting for its review. */
export const demoPitchingFolder = {
  name: 'Bullpen, pitch 40',
  clip: 'delivery',
  // Encoded like an iPhone's recording: HEVC, which not every browser plays, so the server has to convert it.
  file: 'bullpen-side.mov',
  message:
    'Something else this time, since you caught for so long: my misses are all up and to the arm side once I get tired. This is around pitch 40. What do you see from back there, the stride or the release?',
}

export const demoSupportRequest = {
  requestType: 'feature',
  content: 'Can I see two of my swings side by side, from before the deep tee and after?',
  suggestedSolution: 'Start both at the moment the front foot comes down.',
  priority: 'low',
}
