import type { Note, Review } from '../../modules/folders/contract.ts'
import { type DeriveDemoId, deriveFolderAndVideoIds } from './build-demo-review.ts'
import type { DemoPlayer } from './demo-people.ts'
import { DEMO_CLIP_FPS, DEMO_POSITION_FRAMES } from './demo-sessions.ts'

export interface DemoRating {
  stars: number
  comment: string
  answer?: string
}

/** The demo player's rating of their first session, which the instructor answers. */
export const demoPlayerRating: DemoRating = {
  stars: 5,
  comment: 'He stopped the video on the exact frame where I open up. I had heard "keep your shoulder in" for years and never saw it.',
  answer: 'You did the work, Maya. Bring me the game at-bats next.',
}

/** Other players of the demo's instructors. Nobody has to log in as them, so the server does not print their accounts. */
export const demoRaters = {
  jordan: {
    email: 'jordan@demo.example',
    firstName: 'Jordan',
    lastName: 'Pike',
    phone: '555-010-0143',
    dateOfBirth: '2003-09-30',
    looks: { skin: '#f0c8a0', hair: '#6b4423', cap: '#1f5fa8', jersey: '#faf8f3' },
  },
  casey: {
    email: 'casey@demo.example',
    firstName: 'Casey',
    lastName: 'Nolan',
    phone: '555-010-0144',
    dateOfBirth: '1998-02-17',
    looks: { skin: '#a06a48', hair: '#1c1410', cap: '#b4491f', jersey: '#dfdbd0', long: true },
  },
} satisfies Record<string, DemoPlayer>

/** A short session of one of the other players, paid and rated. */
export interface RatedDemoSession extends DemoRating {
  player: keyof typeof demoRaters
  instructor: 'ray' | 'dana'
  /** When the folder was created. The instructor reviews it one day later, and the player pays and rates it on the same evening. */
  daysAgo: number
  name: string
  clip: string
  file: string
  message: string
  note: Pick<Note, 'kind' | 'text'> & { frame: number }
  summary: string
  skill: 'hitting' | 'pitching'
  grade: number
}

/** Enough sessions for two instructors' profiles to show ratings. All were charged before today, so none has an open bill. */
export const ratedDemoSessions: RatedDemoSession[] = [
  {
    player: 'jordan',
    instructor: 'ray',
    daysAgo: 21,
    name: 'Late on fastballs',
    clip: 'swing',
    file: 'jordan-bp.mp4',
    message: 'Anything over 85 beats me. Is it my hands or my eyes?',
    note: {
      frame: DEMO_POSITION_FRAMES.load,
      kind: 'technique',
      text: 'Neither. Your load starts when the ball is halfway. Start when the pitcher breaks his hands.',
    },
    summary: 'Start earlier and slower. Nothing else is late.',
    skill: 'hitting',
    grade: 50,
    stars: 5,
    comment: 'One thing to fix instead of ten. I was on time the next weekend.',
  },
  {
    player: 'casey',
    instructor: 'dana',
    daysAgo: 18,
    name: 'Landing foot',
    clip: 'delivery',
    file: 'casey-pen.mov',
    message: 'I land closed one pitch and open the next. What should I look at first?',
    note: {
      frame: 40,
      kind: 'technique',
      text: 'Your hip leads, and then the knee swings around it. Let the knee go straight down the line.',
    },
    summary: 'Same spot, ten times, without a ball. Then ten with one.',
    skill: 'pitching',
    grade: 45,
    stars: 5,
    comment: 'Simple drill, and she saw in one clip what I could not feel.',
  },
  {
    player: 'jordan',
    instructor: 'dana',
    daysAgo: 16,
    name: 'Long toss to mound',
    clip: 'delivery',
    file: 'jordan-mound.mov',
    message: 'My arm feels fine on flat ground and heavy on the mound. Is it the slope?',
    note: {
      frame: 52,
      kind: 'tip',
      text: 'You fall down the slope instead of riding it. Keep your weight over the back foot one count longer.',
    },
    summary: 'It is the timing of the back leg, not the arm. Two light bullpens before the next hard one.',
    skill: 'pitching',
    grade: 45,
    stars: 4,
    comment: 'Clear. I would have liked a second drill.',
    answer: 'Fair point, Jordan. The second one is in your next review.',
  },
  {
    player: 'casey',
    instructor: 'ray',
    daysAgo: 14,
    name: 'Balance at the finish',
    clip: 'swing-early-shoulder',
    file: 'casey-cage.mp4',
    message: 'I fall toward third after every swing.',
    note: {
      frame: DEMO_POSITION_FRAMES.stride,
      kind: 'technique',
      text: 'It begins here: the front shoulder leaves before the foot is down, and the rest of you follows it.',
    },
    summary: 'Do not fix the finish. Close the shoulder, and the finish takes care of itself.',
    skill: 'hitting',
    grade: 40,
    stars: 4,
    comment: 'It took a day longer than I hoped, but it was worth it.',
  },
  {
    player: 'casey',
    instructor: 'dana',
    daysAgo: 12,
    name: 'Landing foot, two weeks on',
    clip: 'delivery',
    file: 'casey-pen-2.mov',
    message: 'Is it straighter now?',
    note: { frame: 40, kind: 'praise', text: 'Knee goes down the line, and you land where you landed last time. That is the whole job.' },
    summary: 'Yes. Keep the ten dry ones as your warm-up, and send me a game.',
    skill: 'pitching',
    grade: 50,
    stars: 5,
    comment: 'She remembered exactly where we left off.',
  },
]

/** The review of a rated session: one note, a summary and a grade. */
export function buildReviewOfRatedSession({ note, summary, skill, grade, name }: RatedDemoSession, id: DeriveDemoId): Review {
  const { video } = deriveFolderAndVideoIds({ name }, id)
  const at = Math.ceil((note.frame * 1000) / DEMO_CLIP_FPS)
  return { notes: [{ ...note, id: id('note', video, note.frame), video, at }], summary, grades: [{ skill, grade }] }
}
