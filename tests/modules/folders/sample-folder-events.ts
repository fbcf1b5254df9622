import type { Review } from '../../../modules/folders/contract.ts'
import { type FolderEvent, folderDecider, type StoredVideo } from '../../../modules/folders/folder.ts'
import { deciderSpec } from '../../support/decider-spec.ts'

export const { given: givenFolderEvents } = deciderSpec(folderDecider)

export const testVideo = (id: string, more: Partial<StoredVideo> = {}): StoredVideo => ({
  id,
  name: `${id}.mp4`,
  type: 'video/mp4',
  bytes: 1000,
  milliseconds: 4000,
  width: 1280,
  height: 720,
  key: `videos/f/${id}`,
  poster: null,
  ...more,
})
export const testQuote = { items: [{ label: 'Base', cents: 1500 }], total: 1550, atMost: 2500 }
export const testReview: Review = {
  notes: [{ id: 'n1', video: 'a', at: 1200, kind: 'technique', text: 'Let it travel.' }],
  summary: 'Good load, late hands.',
  grades: [{ skill: 'hitting', grade: 55 }],
}
export const videoAdded = (id: string): FolderEvent => ({ type: 'VideoAdded', data: { video: testVideo(id) } })
export const folderCreated: FolderEvent = { type: 'FolderCreated', data: { player: 'p', name: 'Swings' } }
export const folderAssigned = (id = 'as1', follows: string | null = null, videos = [{ id: 'a', bytes: 1000 }]): FolderEvent => ({
  type: 'FolderAssigned',
  data: {
    assignment: id,
    player: 'p',
    instructor: 'i',
    message: 'Look at my hands',
    quote: testQuote,
    terms: { credit: false },
    follows,
    videos,
  },
})
export const reviewStarted: FolderEvent = { type: 'ReviewStarted', data: { assignment: 'as1' } }
export const feedbackGiven: FolderEvent = {
  type: 'FeedbackGiven',
  data: {
    assignment: 'as1',
    player: 'p',
    instructor: 'i',
    review: testReview,
    billable: { videos: 1, bytes: 1000, notes: 1 },
    terms: { credit: false },
  },
}
export const folderPaid: FolderEvent = { type: 'FolderPaid', data: { assignment: 'as1' } }
export const folderArchived: FolderEvent = { type: 'FolderArchived', data: {} }

export const unassignedFolderEvents = [folderCreated, videoAdded('a')]
export const assignedFolderEvents = [...unassignedFolderEvents, folderAssigned()]
export const reviewingFolderEvents = [...assignedFolderEvents, reviewStarted]
export const unpaidFolderEvents = [...reviewingFolderEvents, feedbackGiven]
export const paidFolderEvents = [...unpaidFolderEvents, folderPaid]
export const assignCommand = {
  assignment: 'as1',
  instructor: 'i',
  message: 'Look at my hands',
  quote: testQuote,
  terms: { credit: false },
  videos: [{ id: 'a', bytes: 1000 }],
}
