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
  givenFolderEvents,
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
  givenFolderEvents().when('create', { player: 'p', name: 'Swings' }).gives(folderCreated)
  givenFolderEvents(folderCreated).when('create', { player: 'p', name: 'Swings' }).gives()
  givenFolderEvents(folderCreated).when('create', { player: 'q', name: 'Swings' }).refuses('exists')
  givenFolderEvents(folderCreated).when('create', { player: 'p', name: 'Bunts' }).refuses('exists')
})

test('every command to an unknown folder is refused', () => {
  givenFolderEvents().when('rename', { name: 'x' }).refuses('no-folder')
  givenFolderEvents().when('archive', {}).refuses('no-folder')
  givenFolderEvents().when('restore', {}).refuses('no-folder')
  givenFolderEvents()
    .when('addVideo', { video: testVideo('a') })
    .refuses('no-folder')
  givenFolderEvents().when('removeVideo', { video: 'a' }).refuses('no-folder')
  givenFolderEvents().when('assign', assignCommand).refuses('no-folder')
  givenFolderEvents().when('withdraw', {}).refuses('no-folder')
})

test('a folder can be renamed at any time unless it is archived', () => {
  givenFolderEvents(folderCreated)
    .when('rename', { name: 'Bunts' })
    .gives({ type: 'FolderRenamed', data: { name: 'Bunts' } })
  givenFolderEvents(folderCreated).when('rename', { name: 'Swings' }).gives()
  givenFolderEvents(...reviewingFolderEvents)
    .when('rename', { name: 'Bunts' })
    .gives({ type: 'FolderRenamed', data: { name: 'Bunts' } })
  givenFolderEvents(folderCreated, folderArchived).when('rename', { name: 'Bunts' }).refuses('archived')
})

test('a folder can be archived if open or paid, but not during a review or payment', () => {
  givenFolderEvents(...unassignedFolderEvents)
    .when('archive', {})
    .gives(folderArchived)
  givenFolderEvents(...paidFolderEvents)
    .when('archive', {})
    .gives(folderArchived)
  givenFolderEvents(...unassignedFolderEvents, folderArchived)
    .when('archive', {})
    .gives()
  givenFolderEvents(...assignedFolderEvents)
    .when('archive', {})
    .refuses('assigned')
  givenFolderEvents(...reviewingFolderEvents)
    .when('archive', {})
    .refuses('in-review')
  givenFolderEvents(...unpaidFolderEvents)
    .when('archive', {})
    .refuses('payment-due')
})

test('restoring a folder brings back its previous status', () => {
  const restored: FolderEvent = { type: 'FolderRestored', data: {} }
  givenFolderEvents(...paidFolderEvents, folderArchived)
    .when('restore', {})
    .gives(restored)
  givenFolderEvents(...paidFolderEvents)
    .when('restore', {})
    .gives()
  expect(folderStatusOf(givenFolderEvents(...paidFolderEvents, folderArchived).state)).toBe('archived')
  expect(folderStatusOf(givenFolderEvents(...paidFolderEvents, folderArchived, restored).state)).toBe('paid')
})

test('a folder becomes paid once, and only after feedback was delivered', () => {
  givenFolderEvents(...unpaidFolderEvents)
    .when('paid', { assignment: 'as1' })
    .gives(folderPaid)
  givenFolderEvents(...paidFolderEvents)
    .when('paid', { assignment: 'as1' })
    .gives()
  givenFolderEvents(...paidFolderEvents, folderAssigned('as2', 'as1'))
    .when('paid', { assignment: 'as1' })
    .gives()
  givenFolderEvents(...reviewingFolderEvents)
    .when('paid', { assignment: 'as1' })
    .refuses('no-feedback')
  givenFolderEvents(...unpaidFolderEvents)
    .when('paid', { assignment: 'as9' })
    .refuses('no-assignment')
})
