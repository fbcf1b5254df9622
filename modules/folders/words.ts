import { cents, counted, text, type Words } from '../words.ts'
import type { FolderEvent } from './folder.ts'

const after = (lead: string, value: unknown) => text(value) && `${lead}${value}`

export const folderWords: Words<FolderEvent> = {
  FolderCreated: { audit: d => `created the folder “${text(d.name)}”`, story: who => `${who} created the folder` },
  FolderRenamed: { audit: d => `renamed the folder to “${text(d.name)}”` },
  FolderArchived: { audit: () => 'archived the folder', story: who => `${who} archived the folder` },
  FolderRestored: { audit: () => 'restored the folder', story: who => `${who} restored the folder` },
  VideoAdded: {
    audit: d => `added the video “${text((d.video as { name?: string } | undefined)?.name)}”`,
    story: (who, d) => `${who} added ${text(d.name) || 'a video'}`,
  },
  VideoReplaced: {
    audit: d => `replaced a video by “${text((d.by as { name?: string } | undefined)?.name)}”`,
    story: (who, d) => `${who} replaced ${text(d.replaced) || 'a video'} by ${text(d.name) || 'another'}`,
  },
  CaptureRateSet: { audit: d => `said that a video was filmed at ${Number(d.rate)} frames a second` },
  VideoCompared: { audit: () => 'compared a video with one of another folder' },
  VideoRemoved: { audit: () => 'removed a video', story: (who, d) => `${who} removed ${text(d.name) || 'a video'}` },
  FolderAssigned: {
    audit: d => `assigned the folder, at most ${cents((d.quote as { atMost?: number } | undefined)?.atMost)}`,
    story: (who, d) => `${who} assigned it${after(' to ', d.instructor)}`,
  },
  AssignmentWithdrawn: { audit: () => 'took the folder back', story: who => `${who} took it back` },
  AssignmentDeclined: {
    audit: d => `declined: “${text(d.reason)}”`,
    story: (who, d) => `${who} could not take it${text(d.reason) && `: “${d.reason}”`}`,
  },
  ReviewStarted: { audit: () => 'started the review', story: who => `${who} started the review` },
  FeedbackGiven: {
    audit: d => `delivered the feedback, ${counted((d.review as { notes?: unknown[] } | undefined)?.notes?.length ?? 0, 'note')}`,
    story: who => `${who} delivered the feedback`,
  },
  ClarificationAsked: { audit: () => 'asked the question', story: who => `${who} asked a question` },
  ClarificationAnswered: { audit: () => 'answered the question', story: who => `${who} answered the question` },
  FolderPaid: { audit: () => 'marked the folder paid' },
}
