import type { Skill } from '../../../../modules/accounts/contract.ts'
import type { PhraseContent } from '../../../../modules/phrases/contract.ts'

/** A built-in phrase, offered to every instructor in addition to their own phrases. */
export interface StarterPhrase extends PhraseContent {
  id: string
  skill: Skill
}

/** Phrases that instructors often use, by discipline: corrections, tips, drills and praise. */
const PHRASES_BY_SKILL: Record<Skill, readonly (readonly [kind: PhraseContent['kind'], text: string])[]> = {
  hitting: [
    ['technique', 'Your hands drift forward with your stride. Keep them back until the front foot is down.'],
    ['technique', 'Your front shoulder opens early, so the barrel leaves the zone. Keep it closed until the foot lands.'],
    ['technique', 'Your weight stays on the back leg. Let the hips turn against a firm front leg.'],
    ['technique', 'Your head moves toward the pitcher. Turn around it and keep your eyes level.'],
    ['tip', "Start your load when the pitcher's hands break. You will be on time without rushing."],
    ['drill', 'Tee, 3 × 10: stride, stop for two seconds with your hands back, then swing.'],
    ['drill', 'Front toss, 3 × 8: hit everything back up the middle.'],
    ['praise', 'Balanced from start to finish. Keep it up.'],
  ],
  pitching: [
    ['technique', 'Your front side opens before the foot is down. Stay closed and turn late.'],
    ['technique', 'Your stride lands across your body. Land in line with the plate.'],
    ['technique', 'Your arm is late: at foot strike the ball should be up. Break your hands sooner.'],
    ['technique', 'You finish upright. Let your chest go out over the front knee.'],
    ['tip', 'Slow is fine up to the top of the leg lift. From there, go straight to the plate.'],
    ['drill', 'Towel drill, 3 × 10: reach the glove of a partner one step past your stride.'],
    ['drill', 'Rocker throws from 45 feet, 2 × 10: feel the weight go from the back leg to the front.'],
    ['praise', 'Same delivery each time. That is what makes strikes.'],
  ],
  fielding: [
    ['technique', 'Your glove starts too high. Get it to the ground first and come up with the ball.'],
    ['technique', 'You wait for the ball. Take a step to it and choose your hop.'],
    ['technique', 'You field it under your body. Get it out in front, where you can see it.'],
    ['tip', 'Take a small hop as the ball reaches the plate. You can go both ways from there.'],
    ['drill', 'Short hops from ten feet, 3 × 10, with a soft hand and no throw.'],
    ['drill', 'Roll-ups, 3 × 8: right, left, field, and throw through the target.'],
    ['praise', 'Quiet hands and quick feet. Keep it up.'],
  ],
  catching: [
    ['technique', 'Your thumb turns up early, so you reach down for the low pitch. Start under it and work up.'],
    ['technique', 'Your glove arm is stiff. Catch the ball a little deeper and hold the strike.'],
    ['technique', 'On throws to second, your feet are late. Gain ground with the right foot as the ball arrives.'],
    ['tip', 'Set your target early and hold it still. Your pitcher throws to what does not move.'],
    ['drill', 'Bare-hand receiving, 3 × 10 from ten feet: catch the outside of the ball and hold it.'],
    ['drill', 'Transfers, 3 × 10: ball to the ear, feet in line with second base, no throw.'],
    ['praise', 'You stay low and keep the ball in front. Keep it up.'],
  ],
}

export const STARTER_PHRASES: readonly StarterPhrase[] = Object.entries(PHRASES_BY_SKILL).flatMap(([skill, phrases]) =>
  phrases.map(([kind, text], i) => ({ id: `${skill}-${i + 1}`, skill: skill as Skill, kind, text, link: null })),
)
