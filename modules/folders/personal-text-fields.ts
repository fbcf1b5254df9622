import type { PersonalTextFields } from '../privacy/get-and-set-texts-by-path.ts'
import type { FolderEvent } from './folder.ts'

/** Every text in a folder is encrypted with its player's key, even the review: the player paid for it and keeps it when the instructor leaves. */
export const folderPersonalTextFields: PersonalTextFields<FolderEvent> = {
  stream: 'folder',
  person: first => (first as Extract<FolderEvent, { type: 'FolderCreated' }>).data.player,
  fields: {
    FolderCreated: ['name'],
    FolderRenamed: ['name'],
    FolderArchived: [],
    FolderRestored: [],
    VideoAdded: ['video.name'],
    VideoRemoved: [],
    VideoReplaced: ['by.name'],
    CaptureRateSet: [],
    ApprovalRequested: ['message'],
    ApprovalGiven: [],
    ApprovalDeclined: ['reason'],
    ApprovalWithdrawn: [],
    ApprovalLapsed: [],
    FolderAssigned: ['message'],
    VideoCompared: [],
    AssignmentWithdrawn: [],
    AssignmentDeclined: ['reason'],
    ReviewStarted: [],
    FeedbackGiven: [
      ...(['review.summary', 'review.notes.*.text', 'review.notes.*.link', 'review.notes.*.shapes.*.text'] as const),
      ...(['review.voices.*.shapes.*.text', 'review.goals.*.text'] as const),
      ...(['review.comparisons.*.title', 'review.comparisons.*.sides.*.shapes.*.text'] as const),
    ],
    ClarificationAsked: ['question'],
    ClarificationAnswered: ['answer'],
    FolderPaid: [],
  },
}
