import type { Obligations } from '../../projections/deletion-obstacles.ts'

/**
 * Explains which unsettled matter keeps a person from deleting their account; null if there is none. A minor cannot pay, so the message
 * tells them to ask their guardian.
 */
export function obstacleToOwnDeletion({ assigned, unpaid, undecided, reviewing, expected }: Obligations, isMinor: boolean): string | null {
  if (assigned)
    return `One of your folders is with an instructor. Take it back, or wait for the feedback and ${isMinor ? 'ask your parent or guardian to pay for it' : 'pay for it'}.`
  if (unpaid)
    return `You received feedback that has not been paid for yet. ${isMinor ? 'Ask your parent or guardian to pay' : 'Pay'} for it first.`
  if (reviewing) return 'You have started a review. Deliver it or decline the folder first.'
  if (undecided) return 'A refund or a payment dispute is still pending. Try again once it is settled.'
  if (expected) return 'You have not received all the money for your feedback yet. Try again once you have.'
  return null
}

/** Sentences that tell administrators everything a scheduled deletion is waiting for; null if nothing holds it up. */
export function obstaclesToScheduledDeletion({ assigned, unpaid, undecided, reviewing, expected }: Obligations): string | null {
  const sentences = [
    assigned && 'A folder is with an instructor.',
    unpaid && 'A bill is unpaid.',
    reviewing && 'A review has been started.',
    undecided && 'A refund or a payment dispute is pending.',
    expected && 'Some earnings have not reached the instructor.',
  ]
  return sentences.filter(Boolean).join(' ') || null
}

/** Explains to a guardian which unsettled matter keeps a child's account from being deleted; null if there is none. */
export function obstacleToChildDeletion({ assigned, unpaid, undecided }: Obligations, child: string): string | null {
  if (assigned)
    return `One of ${child}'s folders is with an instructor. ${child} can take it back. Or you can wait for the feedback and pay for it, or withdraw your consent.`
  if (unpaid) return `Feedback for ${child} has not been paid for yet. Pay for it first.`
  if (undecided) return 'A refund or a payment dispute is still pending. Try again once it is settled.'
  return null
}
