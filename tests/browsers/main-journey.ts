import type { JourneyStep } from './journey-types.ts'
import { preparingSteps } from './preparing-steps.ts'
import { readingSteps } from './reading-steps.ts'
import { reviewingSteps } from './reviewing-steps.ts'

/** The main user journey, step by step. Its screenshots show the same twelve states in every engine. */
export const mainJourney: JourneyStep[] = [...preparingSteps, ...reviewingSteps, ...readingSteps]
