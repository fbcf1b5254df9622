import { site } from '../site.ts'
import { Badge, type BadgeTone } from '../ui/badge.tsx'

type ConsentStatus = 'given' | 'refused' | 'withdrawn' | 'waiting'

/** Tells a guardian what each status of their consent means. `child` is the child's first name. */
export const CONSENT_STATUS_TEXTS: Record<ConsentStatus, (child: string) => string> = {
  given: child => `You agreed that ${child} can use ${site.name}.`,
  refused: child => `You said no, so ${child} cannot send anything to an instructor.`,
  withdrawn: child => `You withdrew your consent, so ${child} cannot send anything new to an instructor.`,
  waiting: child => `You were named as ${child}'s parent or guardian. ${child} is waiting for your answer.`,
}

const badges: Record<ConsentStatus, [tone: BadgeTone, label: string]> = {
  given: ['field', 'You agreed'],
  refused: ['red', 'You said no'],
  withdrawn: ['red', 'Withdrawn'],
  waiting: ['sky', 'Waiting for you'],
}

export function ConsentStatusBadge({ consent }: { consent: Exclude<ConsentStatus, 'waiting'> | null }) {
  const [tone, label] = badges[consent ?? 'waiting']
  return (
    <Badge tone={tone} dot>
      {label}
    </Badge>
  )
}
