import type { Note } from '../../modules/folders/contract.ts'
import type { VoiceAction } from '../../modules/reviews/contract.ts'
import type { DemoDrawing } from './demo-drawing-to-shape.ts'

/** A note at a frame of a demo session's clip, with its drawings. */
export type DemoNote = Pick<Note, 'kind' | 'text'> & { frame: number; drawn?: DemoDrawing[] }

export const DEMO_CLIP_FPS = 30
/** The frame of each hitting position, which is the same in both swing clips. */
export const DEMO_POSITION_FRAMES = { stance: 21, load: 34, stride: 46, contact: 53, 'follow-through': 68 } as const

/** A session of the demo: the player's clip and message, and the instructor's feedback. */
export interface DemoSession {
  name: string
  clip: string
  file: string
  message: string
  notes: DemoNote[]
  summary: string
  grade: number
  goals: { text: string; carried?: boolean; state?: 'tried' | 'fixed' }[]
  /** The comparison with the first session, with drawings on both clips at the moment when the foot comes down. */
  comparison?: { title: string; before: DemoDrawing[]; now: DemoDrawing[] }
  spoken?: {
    file: string
    milliseconds: number
    /** The frame on which the voice-over starts. */
    from: number
    actions: VoiceAction[]
    strokes: { at: number; frame: number; drawn: DemoDrawing }[]
  }
}

/** The first session: the front shoulder opens before the foot is down. */
export const firstDemoSession: DemoSession & { question: string; answer: string } = {
  name: 'Rolling over to short',
  clip: 'swing-early-shoulder',
  file: 'cage-round-1.mp4',
  message: 'I keep rolling over to the shortstop, even on pitches away. I feel strong but nothing goes where I look. What am I doing?',
  notes: [
    {
      frame: DEMO_POSITION_FRAMES.stance,
      kind: 'praise',
      text: 'Good place to hit from. Weight in the middle of your feet, bat off the shoulder, both eyes level at the pitcher. Whatever else we change, we keep this.',
    },
    {
      frame: DEMO_POSITION_FRAMES.load,
      kind: 'tip',
      text: 'Top of the leg kick, and your hands go back as the knee comes up. That is a real load. Stay on that back leg one beat longer: ride it forward, do not fall off it.',
    },
    {
      frame: DEMO_POSITION_FRAMES.stride,
      kind: 'technique',
      text: 'Stop on this frame. Your front foot is just getting down and your front shoulder has already left; I can read your jersey. From here the barrel can only come around the ball. That is your ground ball to short. At foot strike I want the shoulder closed and the hands still back.',
      drawn: [
        {
          tool: 'circle',
          ink: 'clay',
          at: [
            [3950, 3750],
            [4850, 5050],
          ],
        },
        {
          tool: 'arrow',
          ink: 'clay',
          at: [
            [4650, 4100],
            [6000, 3300],
          ],
        },
        { tool: 'text', ink: 'chalk', at: [[5500, 2450]], text: 'Already leaving' },
      ],
    },
    {
      frame: 51,
      kind: 'technique',
      text: 'Your eyes go with the shoulder. The ball is still on its way and your chin points at third base. Do not fix this one: hold the shoulder and the head will stay by itself. It is one problem, not two.',
      drawn: [
        {
          tool: 'circle',
          ink: 'gold',
          at: [
            [3950, 2850],
            [4850, 4100],
          ],
        },
        {
          tool: 'arrow',
          ink: 'gold',
          at: [
            [4650, 3550],
            [5700, 4700],
          ],
        },
      ],
    },
    {
      frame: DEMO_POSITION_FRAMES['follow-through'],
      kind: 'drill',
      text: 'Deep tee, opposite field. Set the tee even with your back hip on the outer third and hit low line drives over the second baseman, three rounds of eight. If one goes to the pull side, you opened. Step out, breathe, and start over at one.',
    },
  ],
  summary:
    'You are strong, you load well, and you are on time. One thing costs you: the front shoulder opens before your foot is down, so the bat has to come around the ball instead of through it. Two weeks on the deep tee, every day, before anything else. Do not add a second thought to it.',
  goals: [{ text: 'Front shoulder closed when the foot comes down' }],
  grade: 45,
  question: 'Should I go to a toe tap instead of the leg kick until I stop opening up?',
  answer:
    'Keep the kick. It is not what opens you; it is what makes you strong. Feel your front elbow point at the pitcher until the foot is down, and the shoulder has nowhere to go.',
}

/** The session three weeks later: the shoulder stays closed. */
export const secondDemoSession: DemoSession = {
  name: 'Three weeks on the deep tee',
  clip: 'swing',
  file: 'cage-round-2.mp4',
  message:
    'Deep tee every day for three weeks. Two balls off the right-field fence on Saturday. Am I getting better, or did I just get lucky?',
  notes: [
    {
      frame: DEMO_POSITION_FRAMES.load,
      kind: 'praise',
      text: 'Knee up, hands back, and you are balanced on the back leg. You could stand here and wait for the mail. This is where your timing comes from.',
    },
    {
      frame: DEMO_POSITION_FRAMES.stride,
      kind: 'praise',
      text: 'Same frame as last time, different hitter. Foot is down, front shoulder is closed, hands are still back. This is the whole lesson in one picture. Save it on your phone and look at it before you go to the cage.',
      drawn: [
        {
          tool: 'line',
          ink: 'sky',
          at: [
            [3270, 4300],
            [4230, 4600],
          ],
        },
        {
          tool: 'angle',
          ink: 'gold',
          at: [
            [3150, 9250],
            [3850, 6300],
            [5050, 9000],
          ],
        },
        { tool: 'text', ink: 'chalk', at: [[4550, 3900]], text: 'Closed' },
      ],
    },
    {
      frame: 51,
      kind: 'technique',
      text: 'The barrel is flat and behind the ball this early. That is why you stopped rolling over: now you have two feet to be a little late in. What I would clean up next is the back foot, which slides before the hip has turned. Turn the belt buckle and let the foot follow.',
      drawn: [
        {
          tool: 'line',
          ink: 'clay',
          at: [
            [2450, 5250],
            [4300, 5250],
          ],
        },
        {
          tool: 'arrow',
          ink: 'sky',
          at: [
            [3700, 6750],
            [3300, 8400],
          ],
        },
      ],
    },
    {
      frame: DEMO_POSITION_FRAMES.contact,
      kind: 'technique',
      text: 'Contact: head down on it, front leg firm, and the palms are one up and one down. Leave it alone.',
    },
    {
      frame: DEMO_POSITION_FRAMES['follow-through'],
      kind: 'drill',
      text: 'Hold the finish until the ball lands. Ten swings off the tee, and one counts only if you could stand there for three seconds. If you cannot hold it, you spun instead of turning.',
    },
  ],
  summary:
    'Not lucky. You kept the shoulder in and everything behind it got better on its own: the barrel works through the ball and your head stays on it. Keep the deep tee as your first round. New work is the back hip: turn it, do not push off it. Send me game at-bats next, a good one and a bad one.',
  goals: [
    { text: 'Front shoulder closed when the foot comes down', carried: true, state: 'fixed' },
    { text: 'Turn the back hip; let the foot follow' },
  ],
  grade: 55,
  comparison: {
    title: 'Foot strike, then and now',
    before: [
      {
        tool: 'line',
        ink: 'clay',
        at: [
          [3950, 4100],
          [4850, 4700],
        ],
      },
      { tool: 'text', ink: 'chalk', at: [[5100, 4100]], text: 'Open' },
    ],
    now: [
      {
        tool: 'line',
        ink: 'sky',
        at: [
          [3270, 4300],
          [4230, 4600],
        ],
      },
      { tool: 'text', ink: 'chalk', at: [[4550, 3900]], text: 'Closed' },
    ],
  },
  /**
   * Synthesized speech over the swing in slow motion. Times are in ms from the start of `clips/foot-strike.m4a`; the number after `play`,
   * `pause` and `seek` is a frame.
   */
  spoken: {
    file: 'foot-strike.m4a',
    milliseconds: 22_145,
    from: 20,
    actions: [
      [0, 'rate', 0.25],
      [2800, 'play', 20],
      [6270, 'pause', 46],
      [14_000, 'play', 46],
      [18_400, 'pause', 76],
      [19_300, 'seek', 53],
    ],
    strokes: [
      {
        at: 8900,
        frame: 46,
        drawn: {
          tool: 'line',
          ink: 'clay',
          at: [
            [3270, 4300],
            [4230, 4600],
          ],
        },
      },
    ],
  },
}
