import { expect, test } from 'vitest'
import { type FolderEvent, folderDecider, folderStatusOf } from '../../../modules/folders/folder.ts'
import { fold } from '../../../modules/kernel/decider.ts'
import {
  assignCommand,
  assignedFolderEvents,
  folderArchived,
  folderAssigned,
  folderCreated,
  folderPaid,
  givenFolder,
  paidFolderEvents,
  reviewingFolderEvents,
  testVideo,
  unassignedFolderEvents,
  unpaidFolderEvents,
} from './sample-folder-events.ts'

test('a folder goes from open through assigned and reviewed to paid', () => {
  const statuses = paidFolderEvents.map((_, i) => folderStatusOf(fold(folderDecider, paidFolderEvents.slice(0, i + 1))))
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
  givenFolder(...reviewingFolderEvents)
    .when('rename', { name: 'Bunts' })
    .gives({ type: 'FolderRenamed', data: { name: 'Bunts' } })
  givenFolder(folderCreated, folderArchived).when('rename', { name: 'Bunts' }).refuses('archived')
})

test('a folder can be archived if open or paid, but not during a review or payment', () => {
  givenFolder(...unassignedFolderEvents)
    .when('archive', {})
    .gives(folderArchived)
  givenFolder(...paidFolderEvents)
    .when('archive', {})
    .gives(folderArchived)
  givenFolder(...unassignedFolderEvents, folderArchived)
    .when('archive', {})
    .gives()
  givenFolder(...assignedFolderEvents)
    .when('archive', {})
    .refuses('assigned')
  givenFolder(...reviewingFolderEvents)
    .when('archive', {})
    .refuses('in-review')
  givenFolder(...unpaidFolderEvents)
    .when('archive', {})
    .refuses('payment-due')
})

test('restoring a folder brings back its previous status', () => {
  const restored: FolderEvent = { type: 'FolderRestored', data: {} }
  givenFolder(...paidFolderEvents, folderArchived)
    .when('restore', {})
    .gives(restored)
  givenFolder(...paidFolderEvents)
    .when('restore', {})
    .gives()
  expect(folderStatusOf(givenFolder(...paidFolderEvents, folderArchived).state)).toBe('archived')
  expect(folderStatusOf(givenFolder(...paidFolderEvents, folderArchived, restored).state)).toBe('paid')
})

test('a folder becomes paid once, and only after feedback was delivered', () => {
  givenFolder(...unpaidFolderEvents)
    .when('paid', { assignment: 'as1' })
    .gives(folderPaid)
  givenFolder(...paidFolderEvents)
    .when('paid', { assignment: 'as1' })
    .gives()
  givenFolder(...paidFolderEvents, folderAssigned('as2', 'as1'))
    .when('paid', { assignment: 'as1' })
    .gives()
  givenFolder(...reviewingFolderEvents)
    .when('paid', { assignment: 'as1' })
    .refuses('no-feedback')
  givenFolder(...unpaidFolderEvents)
    .when('paid', { assignment: 'as9' })
    .refuses('no-assignment')
})
