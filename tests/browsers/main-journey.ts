import { feedbackAndPaymentSteps } from './feedback-reading-and-payment-steps.ts'
import type { JourneyStep } from './journey-step-and-people-types.ts'
import { registrationAndAssignmentSteps } from './registration-and-assignment-steps.ts'
import { reviewingSteps } from './reviewing-steps.ts'

/** The main user journey, step by step. Its screenshots show the same twelve states in every engine. */
export const mainJourney: JourneyStep[] = [...registrationAndAssignmentSteps, ...reviewingSteps, ...feedbackAndPaymentSteps]
