import type { Session } from '../../modules/folders/contract.ts'
import { site } from '../site.ts'

/** Tells the player and the guardian, below an unanswered question, whether an answer can still come, and how they will learn of it. */
export function PendingAnswerStatus({
  session: { instructor, instructorStatus },
}: {
  session: Pick<Session, 'instructor' | 'instructorStatus'>
}) {
  const name = instructor.name.split(' ')[0]
  return (
    <p className="text-14 text-ink-2">
      {instructorStatus === 'gone'
        ? `The instructor has left ${site.name} and will not answer. You still have the feedback here.`
        : instructorStatus === 'unavailable'
          ? `${name} is not available on ${site.name} right now and cannot answer. If ${name} comes back, the answer will appear here, and we will email it to you.`
          : `Sent. ${name} has not answered yet. The answer will appear here.`}
    </p>
  )
}
