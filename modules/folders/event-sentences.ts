import { amountText, type EventSentences, textOrEmpty } from '../event-sentence-types.ts'
import { countWithNoun } from '../format-cents-and-counts.ts'
import type { ApprovalLapseCause, FolderEvent } from './folder.ts'

const after = (lead: string, value: unknown) => textOrEmpty(value) && `${lead}${value}`

/** Why a request for approval ended without an answer, by its cause. */
export const APPROVAL_LAPSE_REASONS: Record<string, string> = {
  videos: 'the videos changed',
  archived: 'the folder was archived',
  consent: 'consent was withdrawn',
  guardian: 'a different parent or guardian is now listed',
  'of-age': 'the player turned 18',
  instructor: 'the instructor is not taking sessions',
  'account-closed': 'the account was closed',
} satisfies Record<ApprovalLapseCause, string>

export const folderEventSentences: EventSentences<FolderEvent> = {
  FolderCreated: { audit: d => `created the folder “${textOrEmpty(d.name)}”`, story: who => `${who} created the folder` },
  FolderRenamed: { audit: d => `renamed the folder to “${textOrEmpty(d.name)}”` },
  FolderArchived: { audit: () => 'archived the folder', story: who => `${who} archived the folder` },
  FolderRestored: { audit: () => 'restored the folder', story: who => `${who} restored the folder` },
  VideoAdded: {
    audit: d => `added the video “${textOrEmpty((d.video as { name?: string } | undefined)?.name)}”`,
    story: (who, d) => `${who} added ${textOrEmpty(d.name) || 'a video'}`,
  },
  VideoReplaced: {
    audit: d => `replaced a video with “${textOrEmpty((d.by as { name?: string } | undefined)?.name)}”`,
    story: (who, d) => `${who} replaced ${textOrEmpty(d.replaced) || 'a video'} with ${textOrEmpty(d.name) || 'another one'}`,
  },
  CaptureRateSet: { audit: d => `recorded that a video was filmed at ${Number(d.rate)} frames per second` },
  VideoCompared: { audit: () => 'compared a video with one from another folder' },
  VideoRemoved: { audit: () => 'removed a video', story: (who, d) => `${who} removed ${textOrEmpty(d.name) || 'a video'}` },
  ApprovalRequested: {
    audit: d => `asked the guardian to approve a session for at most ${amountText((d.quote as { atMost?: number } | undefined)?.atMost)}`,
    story: (who, d) => `${who} asked a parent or guardian to approve it${after(', for ', d.instructor)}`,
  },
  ApprovalGiven: { audit: () => 'approved the session', story: () => 'A parent or guardian approved it' },
  ApprovalDeclined: {
    audit: d => `did not approve the session: “${textOrEmpty(d.reason)}”`,
    story: (_, d) => `A parent or guardian said no${textOrEmpty(d.reason) && `: “${d.reason}”`}`,
  },
  ApprovalWithdrawn: { audit: () => 'took back the request for approval', story: who => `${who} took the request back` },
  ApprovalLapsed: {
    subject: 'none',
    audit: d => `The request for approval ended: ${APPROVAL_LAPSE_REASONS[textOrEmpty(d.cause)] ?? 'it no longer applied'}`,
    story: (_, d) => `The request to a parent or guardian ended: ${APPROVAL_LAPSE_REASONS[textOrEmpty(d.cause)] ?? 'it no longer applied'}`,
  },
  FolderAssigned: {
    audit: d => `assigned the folder for at most ${amountText((d.quote as { atMost?: number } | undefined)?.atMost)}`,
    // If a guardian's approval assigned the folder, the approval has a sentence of its own, so this one names nobody.
    story: (who, d) => `${d.isApproved ? 'It was assigned' : `${who} assigned it`}${after(' to ', d.instructor)}`,
  },
  AssignmentWithdrawn: {
    audit: () => 'took the folder back',
    story: (who, d) => `${d.byGuardian ? 'A parent or guardian' : who} took it back`,
  },
  AssignmentDeclined: {
    audit: d => `${d.cause ? 'returned the folder' : 'declined'}: “${textOrEmpty(d.reason)}”`,
    story: (who, d) => `${d.cause ? 'It was returned' : `${who} could not review it`}${textOrEmpty(d.reason) && `: “${d.reason}”`}`,
  },
  ReviewStarted: { audit: () => 'started the review', story: who => `${who} started the review` },
  FeedbackGiven: {
    audit: d => `delivered the feedback, ${countWithNoun((d.review as { notes?: unknown[] } | undefined)?.notes?.length ?? 0, 'note')}`,
    story: who => `${who} delivered the feedback`,
  },
  ClarificationAsked: { audit: () => 'asked the question', story: who => `${who} asked a question` },
  ClarificationAnswered: { audit: () => 'answered the question', story: who => `${who} answered the question` },
  FolderPaid: { subject: 'none', audit: () => 'The folder was paid for' },
}
