import { expect, test } from 'vitest'
import { type FolderEvent, folderDecider, statusOf } from '../../../modules/folders/folder.ts'
import { fold } from '../../../modules/kernel/decider.ts'
import {
  assignCommand,
  assignedLog,
  folderArchived,
  folderAssigned,
  folderCreated,
  folderPaid,
  given,
  openLog,
  paidLog,
  reviewingLog,
  sampleVideo,
  unpaidLog,
} from './folder-log.ts'

test('a folder goes from open to paid', () => {
  const statuses = paidLog.map((_, i) => statusOf(fold(folderDecider, paidLog.slice(0, i + 1))))
  expect(statuses).toEqual(['open', 'open', 'assigned', 'in-review', 'feedback-given', 'paid'])
})

test('creating a folder again changes nothing; another player is refused', () => {
  given().when('create', { player: 'p', name: 'Swings' }).gives(folderCreated)
  given(folderCreated).when('create', { player: 'p', name: 'Swings' }).gives()
  given(folderCreated).when('create', { player: 'q', name: 'Swings' }).refuses('exists')
  given(folderCreated).when('create', { player: 'p', name: 'Bunts' }).refuses('exists')
})

test('every command to an unknown folder is refused', () => {
  given().when('rename', { name: 'x' }).refuses('no-folder')
  given().when('archive', {}).refuses('no-folder')
  given().when('restore', {}).refuses('no-folder')
  given()
    .when('addVideo', { video: sampleVideo('a') })
    .refuses('no-folder')
  given().when('removeVideo', { video: 'a' }).refuses('no-folder')
  given().when('assign', assignCommand).refuses('no-folder')
  given().when('withdraw', {}).refuses('no-folder')
})

test('a folder can be renamed at any time unless it is archived', () => {
  given(folderCreated)
    .when('rename', { name: 'Bunts' })
    .gives({ type: 'FolderRenamed', data: { name: 'Bunts' } })
  given(folderCreated).when('rename', { name: 'Swings' }).gives()
  given(...reviewingLog)
    .when('rename', { name: 'Bunts' })
    .gives({ type: 'FolderRenamed', data: { name: 'Bunts' } })
  given(folderCreated, folderArchived).when('rename', { name: 'Bunts' }).refuses('archived')
})

test('a folder is archived if open or paid, but not with work or a payment under way', () => {
  given(...openLog)
    .when('archive', {})
    .gives(folderArchived)
  given(...paidLog)
    .when('archive', {})
    .gives(folderArchived)
  given(...openLog, folderArchived)
    .when('archive', {})
    .gives()
  given(...assignedLog)
    .when('archive', {})
    .refuses('assigned')
  given(...reviewingLog)
    .when('archive', {})
    .refuses('in-review')
  given(...unpaidLog)
    .when('archive', {})
    .refuses('payment-due')
})

test('restoring a folder brings back its former status', () => {
  const restored: FolderEvent = { type: 'FolderRestored', data: {} }
  given(...paidLog, folderArchived)
    .when('restore', {})
    .gives(restored)
  given(...paidLog)
    .when('restore', {})
    .gives()
  expect(statusOf(given(...paidLog, folderArchived).state)).toBe('archived')
  expect(statusOf(given(...paidLog, folderArchived, restored).state)).toBe('paid')
})

test('only delivered feedback is paid, and once', () => {
  given(...unpaidLog)
    .when('paid', { assignment: 'as1' })
    .gives(folderPaid)
  given(...paidLog)
    .when('paid', { assignment: 'as1' })
    .gives()
  given(...paidLog, folderAssigned('as2', 'as1'))
    .when('paid', { assignment: 'as1' })
    .gives()
  given(...reviewingLog)
    .when('paid', { assignment: 'as1' })
    .refuses('no-feedback')
  given(...unpaidLog)
    .when('paid', { assignment: 'as9' })
    .refuses('no-assignment')
})
