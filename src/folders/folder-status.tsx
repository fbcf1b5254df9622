import type { FolderStatus, FolderSummary } from '../../modules/folders/contract.ts'
import { Badge, type BadgeTone } from '../ui/badge.tsx'
import type { FolderPageViewer } from './folder-page-urls-and-query.ts'

/** The four steps of a folder from its player's point of view. `FolderProgressDiamond` shows each as a base. */
export const FOLDER_STEPS = ['Add your videos', 'Assign an instructor', 'Instructor reviews', 'Read it and pay'] as const

const STATUS_STYLES: Record<FolderStatus, { label: string; tone: BadgeTone; step: number }> = {
  open: { label: 'Open', tone: 'ink', step: 0 },
  assigned: { label: 'Assigned', tone: 'sky', step: 2 },
  'in-review': { label: 'In review', tone: 'sky', step: 2 },
  'feedback-given': { label: 'New feedback', tone: 'clay', step: 3 },
  paid: { label: 'Paid', tone: 'field', step: 4 },
  archived: { label: 'Archived', tone: 'ink', step: 0 },
}

/** The index in `FOLDER_STEPS` of the next step; 4 once all are done. */
export const nextFolderStepIndex = (folder: Pick<FolderSummary, 'status' | 'videos'>) =>
  folder.status === 'open' && folder.videos > 0 ? 1 : STATUS_STYLES[folder.status].step

/**
 * The status of a folder. Delivered feedback is 'New feedback' for its player, 'Payment due' once the player has `read` it, and 'Delivered'
 * for everybody else.
 */
export function FolderStatusBadge({
  status,
  viewer = 'player',
  read = false,
}: {
  status: FolderStatus
  viewer?: FolderPageViewer
  read?: boolean
}) {
  const style = STATUS_STYLES[status]
  const given = status === 'feedback-given'
  const delivered = given && viewer !== 'player'
  return (
    <Badge dot tone={delivered ? 'field' : style.tone}>
      {delivered ? 'Delivered' : given && read ? 'Payment due' : style.label}
    </Badge>
  )
}

/** A small baseball diamond with a base for each step, filled if the step is done or next. Screen readers get the number of steps done. */
export function FolderProgressDiamond({ folder, className }: { folder: Pick<FolderSummary, 'status' | 'videos'>; className?: string }) {
  const step = nextFolderStepIndex(folder)
  // Clay means that the player has to act; while the instructor works there is nothing to do, so the base is sky blue.
  const here = step === 2 ? 'fill-sky stroke-sky' : 'fill-clay stroke-clay'
  const places = [
    [18, 10],
    [10, 2],
    [2, 10],
    [10, 18],
  ] as const
  return (
    <svg viewBox="-3 -3 26 26" fill="none" className={className} role="img" aria-label={`${Math.min(step, 4)} of 4 steps done`}>
      {places.map(([x, y], i) => (
        <rect
          key={`${x} ${y}`}
          x={x - 3.5}
          y={y - 3.5}
          width="7"
          height="7"
          rx="1"
          transform={`rotate(45 ${x} ${y})`}
          className={i < step ? 'fill-field stroke-field' : i === step ? here : 'fill-paper stroke-edge'}
          strokeWidth="1.5"
        />
      ))}
    </svg>
  )
}
