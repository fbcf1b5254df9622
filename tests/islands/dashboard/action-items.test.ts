import { expect, it } from 'vitest'
import type { OwnFolderSummary } from '../../../modules/folders/contract.ts'
import type { Payment } from '../../../modules/payments/contract.ts'
import { actionItemsOf } from '../../../src/islands/dashboard/action-items.ts'
import type { UnfinishedUpload } from '../../../src/upload/unfinished-uploads.ts'

const folder = (id: string, status: OwnFolderSummary['status'], videos = 1) =>
  ({ id, name: id, status, videos, unseen: 0, sessions: [] as OwnFolderSummary['sessions'] }) as OwnFolderSummary
const now = Date.parse('2026-05-20T12:00:00Z')
const items = (...[folders, payments, unfinished, read]: [OwnFolderSummary[], Payment[], UnfinishedUpload[], string[]]) =>
  actionItemsOf(folders, payments, unfinished, read, now)
const session = (id: string, answered: string | null, by: string) => ({ id, answered, instructor: { name: by } })
const payment = (of: string, status: Payment['status'], overdue = false) => ({ folder: of, status, overdue }) as Payment

it('the dashboard lists one action item per folder, the most urgent first', () => {
  const found = items(
    [
      folder('assign', 'open'),
      folder('empty', 'open', 0),
      folder('due', 'feedback-given'),
      folder('late', 'feedback-given'),
      folder('bad', 'feedback-given'),
    ],
    [payment('due', 'due'), payment('late', 'due', true), payment('bad', 'failed', true)],
    [{ folder: 'empty', name: 'swing.mp4' }],
    [],
  )
  expect(found.map(n => [n.folder, n.kind])).toEqual([
    ['bad', 'failed'],
    ['late', 'overdue'],
    ['due', 'due'],
    ['empty', 'upload'],
    ['assign', 'assign'],
  ])
})
it('a bill that a guardian still owes is listed once it is overdue or has failed', () => {
  const owed = (of: string, ...state: [Payment['status'], boolean]) => ({ ...payment(of, ...state), isOwedByAnother: true })
  const folders = ['due', 'late', 'bad'].map(id => folder(id, 'feedback-given'))
  const found = items(folders, [owed('due', 'due', false), owed('late', 'due', true), owed('bad', 'failed', false)], [], [])
  expect(found.map(n => [n.folder, n.kind])).toEqual([
    ['bad', 'failed'],
    ['late', 'overdue'],
    ['due', 'feedback'],
  ])
})
it('no folder is listed as ready to assign before a guardian has agreed', () => {
  const found = actionItemsOf([folder('ready', 'open'), folder('new', 'feedback-given')], [], [], [], now, false)
  expect(found.map(n => n.kind)).toEqual(['feedback'])
})
it('paid, assigned and archived folders have no action item', () => {
  expect(
    items([folder('a', 'paid'), folder('b', 'assigned'), folder('c', 'archived')], [payment('a', 'paid'), payment('c', 'due')], [], []),
  ).toEqual([])
})
it('a decline is listed until it is read, or while the folder has no instructor', () => {
  const declined = { assignment: 'a-2', by: { name: 'Jo Kim' }, reason: 'Away', cause: null }
  const open = { ...folder('d', 'open'), declined } as OwnFolderSummary
  // After a declined follow-up, the folder shows the instructor who gave the last feedback.
  const paid = { ...folder('p', 'paid'), instructor: { name: 'Cal Ray' }, declined } as OwnFolderSummary
  expect(items([open, paid], [], [], [])).toMatchObject([
    { kind: 'declined', folder: 'd', instructor: 'Jo Kim' },
    { kind: 'declined', folder: 'p', instructor: 'Jo Kim' },
  ])
  const handedBack = { ...open, declined: { ...declined, cause: 'consent-withdrawn' } } as OwnFolderSummary
  expect(items([open, handedBack], [], [], [])).toMatchObject([{ cause: null }, { cause: 'consent-withdrawn' }])
  expect(items([open, paid], [], [], ['a-2'])).toMatchObject([{ kind: 'declined', folder: 'd' }])
})
it('unplayable videos of open and assigned folders are listed', () => {
  const refused = (status: OwnFolderSummary['status']) => ({ ...folder(status, status, 2), unseen: 2 })
  expect(items([refused('open'), refused('in-review'), refused('paid')], [], [], [])).toEqual([
    { kind: 'refused', folder: 'open', name: 'open', refused: 2, videos: 2 },
    { kind: 'refused', folder: 'in-review', name: 'in-review', refused: 2, videos: 2 },
  ])
})
it('an upload is listed while its folder can still take it', () => {
  const found = items(
    [folder('open', 'open'), folder('assigned', 'assigned'), { ...folder('replacing', 'in-review'), unseen: 1 }],
    [],
    [
      { folder: 'open', name: 'a.mp4' },
      { folder: 'assigned', name: 'b.mp4' },
      { folder: 'replacing', name: 'c.mp4', replaces: 'video', isCopy: true },
    ],
    [],
  )
  expect(found).toMatchObject([
    { file: 'a.mp4', isLost: false },
    { file: 'c.mp4', isLost: true },
  ])
})
it('an upload that replaces a video is listed only while the video is unplayable', () => {
  // In these folders, no video is unplayable anymore: it was prepared after all, or feedback was given on the other videos.
  const answered = { ...folder('paid', 'paid'), sessions: [session('s', '2026-05-20T11:00:00Z', 'Cal Ray')] } as OwnFolderSummary
  const uploads = ['ready', 'paid'].map(of => ({ folder: of, name: 'c.mp4', replaces: 'video' }))
  expect(items([folder('ready', 'in-review'), answered], [], uploads, [])).toMatchObject([{ kind: 'answer', folder: 'paid' }])
})
it('feedback without a bill is listed until it is read', () => {
  const given = { ...folder('g', 'feedback-given'), assignment: 'a-g' }
  expect(items([given], [], [], ['a-g'])).toMatchObject([{ kind: 'feedback' }])
  expect(items([given], [], [], ['feedback:a-g'])).toEqual([])
})
it('an answer is listed until it is read or two weeks old', () => {
  // The answers belong to sessions before the newest one, which is with another instructor.
  const sessions = [
    session('s-3', null, 'Jo Kim'),
    session('s-2', '2026-05-20T11:00:00Z', 'Cal Ray'),
    session('s-1', '2026-05-06T12:00:01Z', 'Dee Fox'),
  ]
  const answeredFolder = { ...folder('q', 'assigned'), sessions } as OwnFolderSummary
  expect(items([answeredFolder], [], [], ['s-1'])).toMatchObject([{ kind: 'answer', session: 's-2', instructor: 'Cal Ray' }])
  expect(items([answeredFolder], [], [], ['s-2'])).toMatchObject([{ kind: 'answer', session: 's-1', instructor: 'Dee Fox' }])
  expect(items([answeredFolder], [], [], ['s-1', 's-2'])).toEqual([])
  // An old answer was probably read on another device, so it is not news anymore.
  const old = { ...folder('q', 'paid'), sessions: [session('s-0', '2026-05-06T12:00:00Z', 'Cal Ray')] } as OwnFolderSummary
  expect(items([old], [], [], [])).toEqual([])
})
