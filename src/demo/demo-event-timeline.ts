import { folderDecider } from '../../modules/folders/folder.ts'
import { streamOf } from '../../modules/kernel/store.ts'
import { paymentDecider } from '../../modules/payments/payment.ts'
import { ratingDecider } from '../../modules/ratings/rating.ts'
import type { EventMilestone } from './backdate-events.ts'
import type { RatedDemoSession } from './demo-rated-sessions.ts'

/** The ids that identify a session in the log. */
export interface DemoSessionIds {
  folder: string
  assignment: string
}
type MilestoneTuple = [stream: string, type: string, daysAgo: number, hour: number, minute: number]

function ratedMilestones({ folder, assignment, daysAgo, answer }: DemoSessionIds & RatedDemoSession): MilestoneTuple[] {
  const [swing, rating, reviewed] = [streamOf(folderDecider.stream, folder), streamOf(ratingDecider.stream, assignment), daysAgo - 1]
  return [
    [swing, 'FolderCreated', daysAgo, 17, 10],
    [swing, 'FolderAssigned', daysAgo, 17, 24],
    [swing, 'ReviewStarted', reviewed, 19, 5],
    [swing, 'FeedbackGiven', reviewed, 19, 17],
    [streamOf(paymentDecider.stream, assignment), 'PaymentAttempted', reviewed, 20, 40],
    [rating, 'SessionRated', reviewed, 20, 44],
    ...(answer ? [[rating, 'RatingAnswered', reviewed, 22, 5] satisfies MilestoneTuple] : []),
  ]
}

/** The milestones of the demo's history, in the order of the log. */
export function demoEventTimesOf(of: {
  first: DemoSessionIds
  second: DemoSessionIds
  third: DemoSessionIds
  rated: (DemoSessionIds & RatedDemoSession)[]
}): EventMilestone[] {
  const [swing, deep, pitch] = [of.first, of.second, of.third].map(({ folder }) => streamOf(folderDecider.stream, folder)) as [
    string,
    string,
    string,
  ]
  const { assignment } = of.first
  const milestones: MilestoneTuple[] = [
    [swing, 'FolderCreated', 25, 17, 50],
    [swing, 'FolderAssigned', 25, 18, 5],
    [swing, 'ReviewStarted', 24, 20, 12],
    [swing, 'FeedbackGiven', 24, 20, 31],
    [swing, 'ClarificationAsked', 23, 7, 25],
    [swing, 'ClarificationAnswered', 23, 12, 40],
    [streamOf(paymentDecider.stream, assignment), 'PaymentAttempted', 23, 16, 15],
    [streamOf(ratingDecider.stream, assignment), 'SessionRated', 22, 18, 30],
    [streamOf(ratingDecider.stream, assignment), 'RatingAnswered', 22, 21, 10],
    ...of.rated.flatMap(ratedMilestones),
    [deep, 'FolderCreated', 3, 18, 20],
    [deep, 'FolderAssigned', 3, 18, 32],
    [deep, 'ReviewStarted', 2, 20, 5],
    [deep, 'FeedbackGiven', 2, 20, 19],
    [pitch, 'FolderCreated', 1, 19, 10],
    [pitch, 'FolderAssigned', 1, 19, 22],
  ]
  return milestones.map(([stream, type, daysAgo, ...at]) => ({ stream, type, daysAgo, at }))
}
