import { expect, test } from 'vitest'
import { type FolderEvent, folderDecider, folderStatusOf } from '../../../modules/folders/folder.ts'
import { fold } from '../../../modules/kernel/decider.ts'
import {
  assignCommand,
  assignedLog,
  folderArchived,
  folderAssigned,
  folderCreated,
  folderPaid,
  givenFolder,
  paidLog,
  reviewingLog,
  testVideo,
  unassignedLog,
  unpaidLog,
} from './sample-folder-events.ts'

test('a folder goes from open through assigned and reviewed to paid', () => {
  const statuses = paidLog.map((_, i) => folderStatusOf(fold(folderDecider, paidLog.slice(0, i + 1))))
  expect(statuses).toEqual(['open', 'open', 'assigned', 'in-review', 'feedback-given', 'paid'])
})

test('creating a folder again changes nothing; another player cannot create it', () => {
  givenFolder().when('create', { player: 'p', name: 'Swings' }).gives(folderCreated)
  givenFolder(folderCreated).when('create', { player: 'p', name: 'Swings' }).gives()
  givenFolder(folderCreated).when('create', { player: 'q', name: 'Swings' }).refuses('exists')
  givenFolder(folderCreated).when('create', { player: 'p', name: 'Bunts' }).refuses('exists')
})

test('every command to an unknown folder is refused', () => {
  givenFolder().when('rename', { name: 'x' }).refuses('no-folder')
  givenFolder().when('archive', {}).refuses('no-folder')
  givenFolder().when('restore', {}).refuses('no-folder')
  givenFolder()
    .when('addVideo', { video: testVideo('a') })
    .refuses('no-folder')
  givenFolder().when('removeVideo', { video: 'a' }).refuses('no-folder')
  givenFolder().when('assign', assignCommand).refuses('no-folder')
  givenFolder().when('withdraw', {}).refuses('no-folder')
})

test('a folder can be renamed at any time unless it is archived', () => {
  givenFolder(folderCreated)
    .when('rename', { name: 'Bunts' })
    .gives({ type: 'FolderRenamed', data: { name: 'Bunts' } })
  givenFolder(folderCreated).when('rename', { name: 'Swings' }).gives()
  givenFolder(...reviewingLog)
    .when('rename', { name: 'Bunts' })
    .gives({ type: 'FolderRenamed', data: { name: 'Bunts' } })
  givenFolder(folderCreated, folderArchived).when('rename', { name: 'Bunts' }).refuses('archived')
})

test('a folder can be archived if open or paid, but not during a review or payment', () => {
  givenFolder(...unassignedLog)
    .when('archive', {})
    .gives(folderArchived)
  givenFolder(...paidLog)
    .when('archive', {})
    .gives(folderArchived)
  givenFolder(...unassignedLog, folderArchived)
    .when('archive', {})
    .gives()
  givenFolder(...assignedLog)
    .when('archive', {})
    .refuses('assigned')
  givenFolder(...reviewingLog)
    .when('archive', {})
    .refuses('in-review')
  givenFolder(...unpaidLog)
    .when('archive', {})
    .refuses('payment-due')
})

test('restoring a folder brings back its previous status', () => {
  const restored: FolderEvent = { type: 'FolderRestored', data: {} }
  givenFolder(...paidLog, folderArchived)
    .when('restore', {})
    .gives(restored)
  givenFolder(...paidLog)
    .when('restore', {})
    .gives()
  expect(folderStatusOf(givenFolder(...paidLog, folderArchived).state)).toBe('archived')
  expect(folderStatusOf(givenFolder(...paidLog, folderArchived, restored).state)).toBe('paid')
})

test('a folder becomes paid once, and only after feedback was delivered', () => {
  givenFolder(...unpaidLog)
    .when('paid', { assignment: 'as1' })
    .gives(folderPaid)
  givenFolder(...paidLog)
    .when('paid', { assignment: 'as1' })
    .gives()
  givenFolder(...paidLog, folderAssigned('as2', 'as1'))
    .when('paid', { assignment: 'as1' })
    .gives()
  givenFolder(...reviewingLog)
    .when('paid', { assignment: 'as1' })
    .refuses('no-feedback')
  givenFolder(...unpaidLog)
    .when('paid', { assignment: 'as9' })
    .refuses('no-assignment')
})
